/** A moment at which a zone's clock is put forward or back. Instants and offsets in seconds. */
export interface OffsetChange {
  readonly timeZone: string;
  /** The first instant with the new offset. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

const DAY = 86_400;

/** What the clock on a wall shows in a zone, read from `Intl` and nothing else. Everything in seconds since 1970-01-01 00:00. */
export class WallClock {
  private readonly format: Intl.DateTimeFormat;

  constructor(readonly timeZone: string) {
    // The Swedish form is 2026-08-14 06:00:00.
    this.format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  }

  /** What it shows at an instant, as a clock of UTC would show it at the answer. */
  at(instant: number): number {
    return Date.parse(`${this.format.format(instant * 1_000).replace(' ', 'T')}Z`) / 1_000;
  }

  offsetAt(instant: number): number {
    return this.at(instant) - instant;
  }

  /** Every change in a stretch of time: a reading each `stepDays`, and bisection where two of them differ. */
  changes(from: number, until: number, stepDays: number): OffsetChange[] {
    const found: OffsetChange[] = [];
    let before = this.offsetAt(from);
    for (let step = from; step < until; step += stepDays * DAY) {
      const stepEnd = Math.min(step + stepDays * DAY, until);
      const after = this.offsetAt(stepEnd);
      if (after !== before) found.push(this.changeBetween(step, stepEnd));
      before = after;
    }
    return found;
  }

  /** The change between two instants with different offsets. */
  changeBetween(from: number, until: number): OffsetChange {
    const before = this.offsetAt(from);
    let [same, changed] = [from, until];
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2);
      if (this.offsetAt(middle) === before) same = middle;
      else changed = middle;
    }
    return { timeZone: this.timeZone, at: changed, before, after: this.offsetAt(changed) };
  }
}
