import { DAY_SECONDS, dayNumber } from './civil-date.js';
import { FIRST_INSTANT, LAST_INSTANT } from './instant-range.js';
import type { DstPolicy } from './schedule-definition.js';
import type { TimeZone, ZoneSpan } from './time-zone.js';
import type { WallCalendar } from './wall-calendar.js';

/** One nominal time of a schedule. Seconds since 1970-01-01 00:00, of the real clock (`at`) and of the wall (`wall`). */
export interface NominalInstant {
  readonly at: number;
  /** The wall time that the schedule meant; a gap can make it earlier than the wall clock at `at`. */
  readonly wall: number;
  /** Seconds east of UTC: the offset in force at `at`; of a time left out, the one before the gap. */
  readonly offset: number;
  /** A named time in a gap, under the policy `skip`: it does not run, and `at` is the first instant after the gap. */
  readonly isLeftOut: boolean;
}

/** Instants in strictly growing order. */
export interface InstantSequence {
  /** The first one at or after an instant; null when there is none. */
  firstFrom(instant: number): NominalInstant | null;
  /** The last one at or before an instant; null when there is none. */
  lastUntil(instant: number): NominalInstant | null;
  /** How many lie in `first … last`, both inclusive. */
  count(first: number, last: number): number;
}

/**
 * From here on clock changes repeat every 400 years, as the calendar does: a schedule without a time in 500 years has none
 * in any. All its times lie in gaps, as those of every ten minutes from 2 to 3 on the last Sunday of March do in Europe.
 */
export const REPETITION_FROM = dayNumber(2100, 1, 1) * DAY_SECONDS;
const REPETITION_SECONDS = 500 * 366 * DAY_SECONDS;

/** What turns wall times into instants. `namesItsTimes` false: every real instant whose wall clock matches, whatever `dst`. */
export interface NominalInstantsOptions {
  readonly calendar: WallCalendar;
  readonly zone: Pick<TimeZone, 'spanAt'>;
  readonly namesItsTimes: boolean;
  readonly dst: DstPolicy;
}

/** The part of a span's wall times that may run: `last` inclusive. */
interface WallWindow {
  readonly first: number;
  readonly last: number;
}

/**
 * All nominal instants of a schedule: the times of its wall calendar, span by span of constant offset. Inside a span both
 * clocks run alike. Named times add one instant where a gap swallows some, at the gap's end, and leave out one pass of a
 * fold. Times that meet on one instant are one: a time that really exists there wins over those that a gap moved.
 */
export class NominalInstants implements InstantSequence {
  constructor(private readonly options: NominalInstantsOptions) {}

  firstFrom(instant: number): NominalInstant | null {
    const from = Math.max(instant, FIRST_INSTANT);
    for (let at = from; at <= Math.min(LAST_INSTANT, from + REPETITION_SECONDS);) {
      const span = this.options.zone.spanAt(at);
      const found = this.firstInSpan(span, at);
      if (found !== null) return found.at <= LAST_INSTANT ? found : null;
      // No offset reaches a day, so nothing happens before the next wall time less a day: skip the spans until there.
      const wall = this.options.calendar.firstIn(span.until - DAY_SECONDS, LAST_INSTANT + DAY_SECONDS);
      if (wall === null) return null;
      at = Math.max(span.until, wall - DAY_SECONDS);
    }
    return null;
  }

  lastUntil(instant: number): NominalInstant | null {
    const from = Math.min(instant, LAST_INSTANT);
    for (let at = from; at >= FIRST_INSTANT;) {
      const span = this.options.zone.spanAt(at);
      const found = this.lastInSpan(span, at);
      if (found !== null) return found.at >= FIRST_INSTANT ? found : null;
      const wall = this.options.calendar.lastIn(FIRST_INSTANT - DAY_SECONDS, span.from + DAY_SECONDS);
      if (wall === null) return null;
      at = Math.min(span.from - 1, wall + DAY_SECONDS);
      if (at < from - REPETITION_SECONDS) at = Math.min(at, REPETITION_FROM);
    }
    return null;
  }

  count(first: number, last: number): number {
    let count = 0;
    const end = Math.min(last, LAST_INSTANT);
    for (let at = Math.max(first, FIRST_INSTANT); at <= end;) {
      const span = this.options.zone.spanAt(at);
      const window = this.window(span, { from: at, until: Math.min(span.until, end + 1) });
      count += this.options.calendar.countIn(window.first, window.last + 1);
      if (at === span.from && this.atGapEnd(span) !== null) count += 1;
      at = span.until;
    }
    return count;
  }

  private firstInSpan(span: ZoneSpan, at: number): NominalInstant | null {
    const moved = at <= span.from ? this.atGapEnd(span) : null;
    if (moved !== null) return moved;
    const { first, last } = this.window(span, { from: Math.max(at, span.from), until: span.until });
    return instantOf(this.options.calendar.firstIn(first, last), span);
  }

  private lastInSpan(span: ZoneSpan, at: number): NominalInstant | null {
    const { first, last } = this.window(span, { from: span.from, until: Math.min(at + 1, span.until) });
    return instantOf(this.options.calendar.lastIn(first, last), span) ?? this.atGapEnd(span);
  }

  private window(span: ZoneSpan, part: { readonly from: number; readonly until: number }): WallWindow {
    const first = part.from + span.offset;
    const last = part.until + span.offset - 1;
    const { namesItsTimes, dst } = this.options;
    if (!namesItsTimes || dst.fold === 'both') return { first, last };
    if (dst.fold === 'first') return { first: Math.max(first, span.repeatedUntil), last };
    return { first, last: Math.min(last, span.repeatsFrom - 1) };
  }

  /** The instant of the named times that the gap at a span's start swallows; null when it swallows none. */
  private atGapEnd(span: ZoneSpan): NominalInstant | null {
    const { calendar, namesItsTimes, dst } = this.options;
    if (!namesItsTimes || span.gap === null) return null;
    const firstWall = span.from + span.offset;
    if (calendar.firstIn(firstWall, firstWall) !== null) return null;
    const isLeftOut = dst.gap === 'skip';
    const walls = partsWithoutLostDates(span.gap).map(({ from, until }) =>
      isLeftOut ? calendar.firstIn(from, until - 1) : calendar.lastIn(from, until - 1),
    );
    const wall = (isLeftOut ? walls : walls.toReversed()).find((found) => found !== null);
    if (wall === undefined) return null;
    return { at: span.from, wall, offset: isLeftOut ? span.gap.offsetBefore : span.offset, isLeftOut };
  }
}

/**
 * A gap without the dates that it swallows whole (Samoa, 30 December 2011): such a date was never lived, so nothing that
 * was named for it is made up for.
 */
function partsWithoutLostDates(gap: { readonly from: number; readonly until: number }): readonly {
  readonly from: number;
  readonly until: number;
}[] {
  const firstLost = Math.ceil(gap.from / DAY_SECONDS) * DAY_SECONDS;
  const afterLost = Math.floor(gap.until / DAY_SECONDS) * DAY_SECONDS;
  if (afterLost <= firstLost) return [gap];
  return [
    { from: gap.from, until: firstLost },
    { from: afterLost, until: gap.until },
  ].filter(({ from, until }) => from < until);
}

const instantOf = (wall: number | null, { offset }: ZoneSpan): NominalInstant | null =>
  wall === null ? null : { at: wall - offset, wall, offset, isLeftOut: false };
