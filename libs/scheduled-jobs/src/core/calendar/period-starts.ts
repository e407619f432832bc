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
  private readonly labelOf: PeriodLabeler;

  constructor(
    private readonly instants: InstantSequence,
    labelOf: PeriodLabeler,
  ) {
    this.labelOf = rememberingLast(labelOf);
  }

  firstOf(instant: NominalInstant): NominalInstant {
    return this.walk(instant, ({ at }) => this.instants.lastUntil(at - 1)).last;
  }

  firstAfter(instant: NominalInstant): NominalInstant | null {
    return this.walk(instant, ({ at }) => this.instants.firstFrom(at + 1)).beyond;
  }

  areTogether(a: NominalInstant, b: NominalInstant): boolean {
    return this.labelOf(a) === this.labelOf(b);
  }

  /** Goes in the direction of `step` to the last instant of the same period and the first one beyond it. */
  private walk(
    from: NominalInstant,
    step: (from: NominalInstant) => NominalInstant | null,
  ): { readonly last: NominalInstant; readonly beyond: NominalInstant | null } {
    const label = this.labelOf(from);
    let last = from;
    for (let walked = 0; walked < MAX_PERIOD_INSTANTS; walked += 1) {
      const beyond = step(last);
      if (beyond === null || this.labelOf(beyond) !== label) return { last, beyond };
      last = beyond;
    }
    throw new InvalidScheduleError([
      `the period function gave "${label}" for more than ${MAX_PERIOD_INSTANTS} occurrences in a row. Return labels that change, or use period "day", "week", "month" or "year".`,
    ]);
  }
}

/** Where one period ends the next one begins: the function is asked once for that instant, not twice. */
function rememberingLast(labelOf: PeriodLabeler): PeriodLabeler {
  let last: { readonly at: number; readonly label: string } | null = null;
  return (instant) => {
    if (last?.at !== instant.at) last = { at: instant.at, label: labelOf(instant) };
    return last.label;
  };
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
      const next = this.grouping.firstAfter(start);
      start = next === null ? null : this.startOf(next);
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
