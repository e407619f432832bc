import type { Expected } from './oracle.js';

/** A stretch of time in seconds, `after` exclusive and `until` inclusive. */
export interface Stretch {
  readonly after: number;
  readonly until: number;
}

/** What the oracle expects, to be asked in any order. */
export class ExpectedOccurrences {
  /** @param all In order. */
  constructor(readonly all: readonly Expected[]) {}

  /** The first one after an instant. */
  after(instant: number): Expected | undefined {
    return this.all[this.indexAfter(instant)];
  }

  /** The last one before an instant. */
  before(instant: number): Expected | undefined {
    let index = this.indexAfter(instant) - 1;
    while ((this.all[index]?.at ?? -Infinity) >= instant) index -= 1;
    return this.all[index];
  }

  has(instant: number): boolean {
    return this.all[this.indexAfter(instant) - 1]?.at === instant;
  }

  within({ after, until }: Stretch): readonly Expected[] {
    return this.all.slice(this.indexAfter(after), this.indexAfter(until));
  }

  /** How many lie at or before an instant. */
  private indexAfter(instant: number): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.all[middle] as Expected).at > instant) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
