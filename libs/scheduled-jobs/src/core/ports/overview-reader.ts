import type { CappedCount } from './capped-count.js';

/** What the ledger has at one moment. Counts go to 10,000. */
export interface OverviewFacts {
  readonly now: Date;
  readonly executions: {
    readonly pending: CappedCount;
    readonly running: CappedCount;
    readonly retrying: CappedCount;
  };
  /** Schedules that go on under their names. */
  readonly schedules: {
    readonly total: number;
    readonly paused: number;
    readonly disabled: number;
    readonly orphaned: number;
    /** Due for more than a minute. */
    readonly behind: number;
    /** The names of those that are behind, the longest first, at most 100. */
    readonly behindNames: readonly string[];
  };
  /** Seen within two minutes. */
  readonly instances: { readonly workers: number; readonly schedulers: number; readonly total: number };
  /** Jobs that no live worker handles and of which executions wait, by name, at most 100. */
  readonly unhandled: readonly string[];
  /** Jobs of which alerts of the last day tell that they missed periods, the newest first, at most 100. */
  readonly missed: readonly string[];
}

/** Reads how all stands. */
export interface OverviewReader {
  facts(now: Date | null): Promise<OverviewFacts>;
}
