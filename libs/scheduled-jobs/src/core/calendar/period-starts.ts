import { InvalidScheduleError } from '../errors.js';
import { DAY_SECONDS, dayOf } from './civil-date.js';
import type { InstantSequence, NominalInstant } from './nominal-instants.js';
import type { PeriodLabeler } from './period-label.js';
import type { PeriodDivision } from './period-unit.js';
import type { TimeZone } from './time-zone.js';

/** Which instants of a sequence belong to one period. */
export interface PeriodGrouping {
  /** The first instant of the period that an instant belongs to. */
  firstOf(instant: NominalInstant): NominalInstant;
  /** The first instant of the next period that has one; null when there is none. */
  firstAfter(instant: NominalInstant): NominalInstant | null;
  areTogether(a: NominalInstant, b: NominalInstant): boolean;
}

/** Groups by days, weeks, months or years of the local calendar; finds their bounds without walking the instants between. */
export class DivisionGrouping implements PeriodGrouping {
  constructor(
    private readonly instants: InstantSequence,
    private readonly zone: TimeZone,
    private readonly division: PeriodDivision,
  ) {}

  firstOf(instant: NominalInstant): NominalInstant {
    return this.firstFromPeriod(this.numberOf(instant)) ?? instant;
  }

  firstAfter(instant: NominalInstant): NominalInstant | null {
    return this.firstFromPeriod(this.numberOf(instant) + 1);
  }

  areTogether(a: NominalInstant, b: NominalInstant): boolean {
    return this.numberOf(a) === this.numberOf(b);
  }

  /**
   * The first instant of period `number` or a later one. Around a midnight that a clock change shows twice, instants of
   * the period before can follow; they belong to a period that has begun already.
   */
  private firstFromPeriod(number: number): NominalInstant | null {
    const start = this.zone.firstInstantOf(this.division.firstDay(number) * DAY_SECONDS);
    let found = this.instants.firstFrom(start);
    while (found !== null && this.numberOf(found) < number) found = this.instants.firstFrom(found.at + 1);
    return found;
  }

  private numberOf({ wall }: NominalInstant): number {
    return this.division.numberOf(dayOf(wall));
  }
}

/** More than a day of seconds or a month of minutes; a longer walk would hold up the process. */
const MAX_PERIOD_INSTANTS = 100_000;

/** Groups neighbours whose labels are equal; walks all instants of a period, since a function's bounds are unknown. */
export class LabelGrouping implements PeriodGrouping {
  constructor(
    private readonly instants: InstantSequence,
    private readonly labelOf: PeriodLabeler,
  ) {}

  firstOf(instant: NominalInstant): NominalInstant {
    return this.edge(instant, ({ at }) => this.instants.lastUntil(at - 1));
  }

  firstAfter(instant: NominalInstant): NominalInstant | null {
    const last = this.edge(instant, ({ at }) => this.instants.firstFrom(at + 1));
    return this.instants.firstFrom(last.at + 1);
  }

  areTogether(a: NominalInstant, b: NominalInstant): boolean {
    return this.labelOf(a) === this.labelOf(b);
  }

  /** The farthest instant of the same period in the direction of `step`. */
  private edge(instant: NominalInstant, step: (from: NominalInstant) => NominalInstant | null): NominalInstant {
    const label = this.labelOf(instant);
    let edge = instant;
    for (let walked = 0; walked < MAX_PERIOD_INSTANTS; walked += 1) {
      const next = step(edge);
      if (next === null || this.labelOf(next) !== label) return edge;
      edge = next;
    }
    throw new InvalidScheduleError([
      `the period function gave "${label}" for more than ${MAX_PERIOD_INSTANTS} occurrences in a row. Return labels that change, or use period "day", "week", "month" or "year".`,
    ]);
  }
}

/**
 * One instant per period: the first that runs or, when a gap left out all of them, the first. Where a search begins does
 * not matter: an instant in the middle of a period never stands for it.
 */
export class PeriodStarts implements InstantSequence {
  constructor(
    private readonly instants: InstantSequence,
    private readonly grouping: PeriodGrouping,
  ) {}

  firstFrom(instant: number): NominalInstant | null {
    const inside = this.instants.firstFrom(instant);
    let first = inside === null ? null : this.grouping.firstOf(inside);
    while (first !== null) {
      const start = this.startOf(first);
      if (start.at >= instant) return start;
      first = this.grouping.firstAfter(first);
    }
    return null;
  }

  lastUntil(instant: number): NominalInstant | null {
    let inside = this.instants.lastUntil(instant);
    while (inside !== null) {
      const first = this.grouping.firstOf(inside);
      if (this.startOf(first).at <= instant) return this.latestUntil(first, instant);
      inside = this.instants.lastUntil(first.at - 1);
    }
    return null;
  }

  /** Visits each period once. */
  count(first: number, last: number): number {
    let count = 0;
    for (let start = this.firstFrom(first); start !== null && start.at <= last; count += 1) {
      start = this.firstFrom(start.at + 1);
    }
    return count;
  }

  private startOf(first: NominalInstant): NominalInstant {
    let start: NominalInstant | null = first;
    while (start?.isLeftOut === true) {
      start = this.instants.firstFrom(start.at + 1);
      if (start === null || !this.grouping.areTogether(start, first)) return first;
    }
    return start ?? first;
  }

  /** A midnight shown twice can start the next period before the last instants of this one. */
  private latestUntil(first: NominalInstant, instant: number): NominalInstant {
    const start = this.startOf(first);
    const next = this.grouping.firstAfter(first);
    return next === null || this.startOf(next).at > instant ? start : this.latestUntil(next, instant);
  }
}
