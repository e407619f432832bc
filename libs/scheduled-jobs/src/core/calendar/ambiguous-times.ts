import { dayOf } from './civil-date.js';
import { clockChanges, type ClockChange } from './clock-changes.js';
import { clockText, offsetText } from './clock-text.js';
import { dateLabel } from './period-unit.js';
import { parseSchedule, type OccurrenceRange, type Schedule } from './schedule.js';
import type { DstPolicy } from './schedule-definition.js';
import { TimeZone } from './time-zone.js';

/** Named times of a schedule that a clock change leaves out (`gap`) or shows twice (`fold`), and what comes of them. */
export interface AmbiguousTimes {
  readonly kind: 'gap' | 'fold';
  /** The moment of the clock change. */
  readonly changesAt: Date;
  /** What the clocks show before and after it, `HH:mm` or `HH:mm:ss`. */
  readonly clocks: { readonly from: string; readonly to: string };
  /** The local date for which the times are named, `YYYY-MM-DD`. */
  readonly date: string;
  /** The first three, `HH:mm` or `HH:mm:ss`. */
  readonly times: readonly string[];
  /** How many they are. */
  readonly timesCount: number;
  /** When the first of them runs: local times with offset; none when the gap leaves it out. */
  readonly runsAt: readonly string[];
}

const SHOWN_TIMES = 3;

/**
 * The clock changes of a range that concern a schedule, in order. A schedule that does not name its times of day follows
 * the real clock, so that none does.
 *
 * @throws what the definition's own functions throw.
 */
export function ambiguousTimes(
  schedule: Schedule,
  dst: DstPolicy,
  { after, until }: OccurrenceRange,
): readonly AmbiguousTimes[] {
  if (!schedule.namesItsTimes) return [];
  const finder = new AmbiguousTimesFinder(schedule, dst);
  const range = { after: Math.floor(after.getTime() / 1_000), before: Math.floor(until.getTime() / 1_000) + 1 };
  return clockChanges(TimeZone.named(schedule.timeZone), range)
    .map((change) => finder.at(change))
    .filter((found) => found !== null);
}

class AmbiguousTimesFinder {
  /** The same expression on a wall clock that never changes: an instant of it is a wall time. */
  private readonly wallSchedule: Schedule;

  constructor(
    private readonly schedule: Schedule,
    private readonly dst: DstPolicy,
  ) {
    this.wallSchedule = parseSchedule(schedule.expression, { timeZone: 'UTC' });
  }

  at(change: ClockChange): AmbiguousTimes | null {
    const { at, offsetBefore, offsetAfter } = change;
    const [from, to] = [at + offsetBefore, at + offsetAfter];
    const walls = range(Math.min(from, to), Math.max(from, to));
    const [first, ...more] = this.wallSchedule.occurrences({ ...walls, limit: SHOWN_TIMES });
    if (first === undefined) return null;
    const firstWall = first.scheduledFor.getTime() / 1_000;
    const runsAt = to > from ? this.runsAfterGap(change) : this.runsInFold(change, firstWall);
    if (runsAt === null) return null;
    return {
      kind: to > from ? 'gap' : 'fold',
      changesAt: new Date(at * 1_000),
      clocks: { from: timeText(from), to: timeText(to) },
      date: dateLabel(dayOf(firstWall)),
      times: [first, ...more].map(({ scheduledFor }) => timeText(scheduledFor.getTime() / 1_000)),
      timesCount: this.wallSchedule.count(walls),
      runsAt,
    };
  }

  private runsAfterGap({ at, offsetAfter }: ClockChange): readonly string[] | null {
    if (!this.takesPlace(at)) return null;
    return this.dst.gap === 'skip' ? [] : [localText(at, offsetAfter)];
  }

  private runsInFold({ offsetBefore, offsetAfter }: ClockChange, wall: number): readonly string[] | null {
    const passes = [offsetBefore, offsetAfter].filter((offset) => this.takesPlace(wall - offset));
    return passes.length === 0 ? null : passes.map((offset) => localText(wall - offset, offset));
  }

  /** False for what `exclude` leaves out, and for a time that a period form leaves to an earlier one. */
  private takesPlace(instant: number): boolean {
    const [found] = this.schedule.occurrences({ ...range(instant, instant + 1), limit: 1 });
    return found !== undefined && found.skip !== 'excluded';
  }
}

/** `from` inclusive, `until` exclusive, whole seconds. */
const range = (from: number, until: number): OccurrenceRange => ({
  after: new Date((from - 1) * 1_000),
  until: new Date((until - 1) * 1_000),
});

const timeText = (wall: number): string => clockText(wall, wall % 60 !== 0);
const localText = (at: number, offset: number): string => `${timeText(at + offset)}${offsetText(offset)}`;
