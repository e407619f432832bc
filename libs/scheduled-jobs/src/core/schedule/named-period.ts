import type { Occurrence } from '../calendar/schedule.js';
import { DAY_MS, SECOND_MS } from '../duration.js';
import type { JobSchedule } from '../job/job-definition.js';

const WALL_CLOCK = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?[+-]\d\d:\d\d(?::\d\d)?$/;
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const WEEK = /^(\d{4})-W(\d\d)$/;

/** Where to look for a label: among so many occurrences after an instant, in milliseconds since 1970. */
interface Search {
  readonly after: number;
  readonly limit: number;
}

/**
 * The occurrence up to now whose period has this label; null = there is none. Labels that a function of the job makes are
 * looked for in the last year, among 10,000 occurrences.
 */
export function occurrenceOfPeriod(
  { schedule, definition }: Pick<JobSchedule, 'schedule' | 'definition'>,
  period: string,
  now: Date,
): Occurrence | null {
  const everywhere: readonly Search[] = [{ after: now.getTime() - 366 * DAY_MS, limit: 10_000 }];
  for (const { after, limit } of typeof definition.period === 'function' ? everywhere : searches(period)) {
    const found = schedule
      .occurrences({ after: new Date(after), until: now, limit })
      .find((occurrence) => occurrence.period === period);
    if (found !== undefined) return found;
  }
  return null;
}

function searches(period: string): readonly Search[] {
  const instant = WALL_CLOCK.test(period) ? Date.parse(period) : Number.NaN;
  // A time that a gap leaves out is labelled by the missing wall clock, up to a day behind its occurrence.
  if (!Number.isNaN(instant)) {
    return [
      { after: instant - SECOND_MS, limit: 2 },
      { after: instant - DAY_MS, limit: 1_000 },
    ];
  }
  const firstDay = firstDayOf(period);
  // No zone begins a date two days early; the label may be that of the occurrence before (`periodOf: 'previous'`).
  return firstDay === null ? [] : [{ after: firstDay - 2 * DAY_MS, limit: 10 }];
}

function firstDayOf(period: string): number | null {
  const date = DATE.exec(period);
  if (date !== null) return Date.UTC(Number(date[1]), Number(date[2] ?? 1) - 1, Number(date[3] ?? 1));
  const week = WEEK.exec(period);
  return week === null ? null : Date.UTC(Number(week[1]), 0, 1 + (Number(week[2]) - 1) * 7 - 3);
}
