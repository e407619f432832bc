import type { Clock } from '../../libs/scheduled-jobs/src/core/ports/clock.js';

/** Facts by a clock of the test, waits by the real one. */
export class SettableClock implements Clock {
  /** @param now Null = the database's time. */
  constructor(public now: Date | null) {}
  monotonicMs = (): number => performance.now();
  boundNow = (): Date | null => this.now;
}
