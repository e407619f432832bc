import { upcomingFires, type UpcomingFire } from '../../core/calendar/upcoming-fires.js';
import { parseSchedule, type Schedule } from '../../core/calendar/schedule.js';
import type { ScheduleDefinition } from '../../core/calendar/schedule-definition.js';
import { InvalidScheduleError } from '../../core/errors.js';
import type { JobSchedule } from '../../core/job/job-definition.js';
import type { ScheduleDetail, ScheduleSummary } from '../../core/ports/ledger-reader.js';
import { storedDefinition } from '../../core/schedule/stored-definition.js';
import type { JobCatalog } from '../../nest/jobs/job-catalog.js';

/** A schedule with the fires before and after now, in UTC; `timeZone` says whose wall clock the expression means. */
export interface ScheduleAnswer extends Omit<ScheduleSummary, 'nextAt'> {
  /** The expression in words; null when this process cannot read it. */
  readonly description: string | null;
  /** Null when there is none, or when a function of the job fails. */
  readonly previousAt: Date | null;
  /**
   * Always after now; null when it is disabled, suspended or renamed, never fires again, or a function of the job fails.
   */
  readonly nextAt: Date | null;
}

/** The same with its history, and its next ten fires as the clocks of its zone show them; none where `nextAt` is null. */
export type ScheduleDetailAnswer = ScheduleAnswer &
  Pick<ScheduleDetail, 'versions' | 'skippedRanges' | 'suspensions'> & { readonly upcoming: readonly UpcomingFire[] };

const UPCOMING = 10;

/** Computes the fires of schedules when somebody looks: stored ones grow old when nothing ticks. */
export class ScheduleView {
  constructor(private readonly catalog: JobCatalog) {}

  summary(summary: ScheduleSummary, now: Date): ScheduleAnswer {
    return withFires(summary, this.scheduleOf(summary), now);
  }

  detail({ versions, skippedRanges, suspensions, ...summary }: ScheduleDetail, now: Date): ScheduleDetailAnswer {
    const schedule = this.scheduleOf(summary);
    const answer = withFires(summary, schedule, now);
    const upcoming = schedule === null || answer.nextAt === null ? [] : upcomingOf(schedule, now);
    return { ...answer, versions, skippedRanges, suspensions, upcoming };
  }

  private scheduleOf(summary: ScheduleSummary): Schedule | null {
    return this.ofThisProcess(summary) ?? parsed(summary.expression, storedDefinition(summary, {}));
  }

  /** This process's own schedule, functions included, when it carries the expression that is in force. */
  private ofThisProcess({ jobName, expression, timeZone }: ScheduleSummary): Schedule | null {
    const own: JobSchedule | null = this.catalog.entries().get(jobName)?.definition.schedule ?? null;
    return own !== null && own.expression === expression && own.definition.timeZone === timeZone ? own.schedule : null;
  }
}

function parsed(expression: string, definition: ScheduleDefinition): Schedule | null {
  try {
    return parseSchedule(expression, definition);
  } catch (error) {
    if (error instanceof InvalidScheduleError) return null; // A newer version of the package wrote it.
    throw error;
  }
}

const withFires = (summary: ScheduleSummary, schedule: Schedule | null, now: Date): ScheduleAnswer => ({
  ...summary,
  description: schedule?.describe() ?? null,
  ...firesOf(schedule, now),
  ...(isActive(summary) ? {} : { nextAt: null }),
});

function upcomingOf(schedule: Schedule, now: Date): readonly UpcomingFire[] {
  try {
    return upcomingFires(schedule, { after: now, limit: UPCOMING });
  } catch {
    return []; // As below.
  }
}

const isActive = ({ disabled, suspension, renamedTo }: ScheduleSummary): boolean =>
  !disabled && suspension === null && renamedTo === null;

function firesOf(schedule: Schedule | null, now: Date): Pick<ScheduleAnswer, 'previousAt' | 'nextAt'> {
  try {
    return { previousAt: schedule?.previous(now) ?? null, nextAt: schedule?.next(now) ?? null };
  } catch {
    // The job's own period function threw, as it does in ticks: `lastError` tells, and the other schedules are shown.
    return { previousAt: null, nextAt: null };
  }
}
