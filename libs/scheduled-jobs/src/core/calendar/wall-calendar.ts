import { DAY_SECONDS, dayOf } from './civil-date.js';
import type { DayMatcher } from './day-matcher.js';
import type { TimesOfDay } from './times-of-day.js';

/**
 * The times of a schedule on a wall clock that never changes: chosen days × times of day. Instants and changes of offset
 * are the business of `NominalInstants`. A wall time is a number of seconds since 1970-01-01 00:00 on that clock.
 */
export class WallCalendar {
  constructor(
    private readonly days: DayMatcher,
    private readonly times: TimesOfDay,
  ) {}

  /** The first wall time in `from … last`, both inclusive; null when there is none. */
  firstIn(from: number, last: number): number | null {
    const startDay = dayOf(from);
    const rank = this.days.has(startDay) ? this.times.countBefore(from - startDay * DAY_SECONDS) : this.times.count;
    if (rank < this.times.count) return this.atOrNull(startDay, rank, last);
    const day = this.days.firstIn(startDay + 1, dayOf(last));
    return day === null ? null : this.atOrNull(day, 0, last);
  }

  /** The last wall time in `first … until`, both inclusive; null when there is none. */
  lastIn(first: number, until: number): number | null {
    const endDay = dayOf(until);
    const rank = this.days.has(endDay) ? this.times.countBefore(until - endDay * DAY_SECONDS + 1) - 1 : -1;
    const day = rank >= 0 ? endDay : this.days.lastIn(dayOf(first), endDay - 1);
    if (day === null) return null;
    const wall = day * DAY_SECONDS + this.times.at(rank >= 0 ? rank : this.times.count - 1);
    return wall >= first ? wall : null;
  }

  /** How many wall times lie in `from … until`, `until` exclusive; counts whole days. */
  countIn(from: number, until: number): number {
    if (until <= from) return 0;
    const whole = this.days.countIn(dayOf(from), dayOf(until)) * this.times.count;
    return whole + this.countOfDayBefore(until) - this.countOfDayBefore(from);
  }

  private atOrNull(day: number, rank: number, last: number): number | null {
    const wall = day * DAY_SECONDS + this.times.at(rank);
    return wall <= last ? wall : null;
  }

  private countOfDayBefore(wall: number): number {
    const day = dayOf(wall);
    return this.days.has(day) ? this.times.countBefore(wall - day * DAY_SECONDS) : 0;
  }
}
