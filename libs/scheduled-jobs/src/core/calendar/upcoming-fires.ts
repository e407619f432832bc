import { wallText } from './clock-text.js';
import { parseSchedule, type Occurrence, type OccurrenceSkip, type Schedule } from './schedule.js';
import { TimeZone } from './time-zone.js';

/**
 * What a change of the clocks does to a fire: the offset differs from that of the fire before; a gap moved it; its local
 * time is shown twice, and this is the first or the second time.
 */
export type FireMark = 'clocks-changed' | 'moved-by-gap' | 'first-pass' | 'second-pass';

/** An occurrence to come, as people see it. */
export interface UpcomingFire {
  readonly scheduledFor: Date;
  /** What the clocks of the zone show then: `YYYY-MM-DDTHH:mm±HH:mm`, with seconds where there are any. */
  readonly localTime: string;
  readonly period: string;
  /** Null = it is run. */
  readonly skip: OccurrenceSkip | null;
  readonly marks: readonly FireMark[];
}

/**
 * The next occurrences of a schedule with what the clocks show.
 *
 * @param range `limit` 1–10,000.
 * @throws RangeError for an invalid date or limit; what the definition's own functions throw.
 */
export function upcomingFires(
  schedule: Schedule,
  range: { readonly after: Date; readonly limit: number },
): readonly UpcomingFire[] {
  const zone = TimeZone.named(schedule.timeZone);
  const wallSchedule = parseSchedule(schedule.expression, { timeZone: 'UTC' });
  const marker = new FireMarker(zone, (wall) => schedule.namesItsTimes && !wallSchedule.matches(dateOf(wall)));
  return schedule.occurrences(range).map((occurrence) => {
    const { scheduledFor, period, skip } = occurrence;
    return { scheduledFor, localTime: localTime(zone, scheduledFor), period, skip, marks: marker.marks(occurrence) };
  });
}

class FireMarker {
  constructor(
    private readonly zone: TimeZone,
    /** Tells a wall time at which the schedule runs without naming it. */
    private readonly isUnnamed: (wall: number) => boolean,
  ) {}

  marks({ scheduledFor, interval, skip }: Occurrence): readonly FireMark[] {
    const at = secondsOf(scheduledFor);
    const span = this.zone.spanAt(at);
    const wall = at + span.offset;
    const marks: FireMark[] = [];
    if (this.zone.spanAt(secondsOf(interval.start)).offset !== span.offset) marks.push('clocks-changed');
    if (skip !== 'dst-gap' && span.gap !== null && this.isUnnamed(wall)) marks.push('moved-by-gap');
    if (wall >= span.repeatsFrom) marks.push('first-pass');
    if (wall < span.repeatedUntil) marks.push('second-pass');
    return marks;
  }
}

function localTime(zone: TimeZone, instant: Date): string {
  const at = secondsOf(instant);
  const { offset } = zone.spanAt(at);
  const wall = at + offset;
  return wallText(wall, offset, wall % 60 !== 0);
}

const secondsOf = (instant: Date): number => instant.getTime() / 1_000;
const dateOf = (seconds: number): Date => new Date(seconds * 1_000);
