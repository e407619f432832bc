import type { CappedCount } from './capped-count.js';

/** How the ledger as a whole stands. */
export interface LedgerMeasures {
  /** Failures that nobody has acknowledged. */
  readonly deadLetters: CappedCount;
  /** Executions whose time has not come, retries included. */
  readonly delayed: CappedCount;
  /** Executions that wait for a slot of their concurrency key. */
  readonly waiting: CappedCount;
  /** Executions of jobs that are paused, or that no live worker handles. */
  readonly held: CappedCount;
  /** Processes that were seen within two minutes. */
  readonly instances: { readonly total: number; readonly workers: number; readonly schedulers: number };
}

/** Measures the ledger at a cost that does not grow with it. */
export interface LedgerMeter {
  /** Counts up to 10,000 of each. */
  measure(now: Date | null): Promise<LedgerMeasures>;
  /**
   * Whether the database answers and its schema fits this package.
   * @throws StoreUnavailableError; SchemaVersionError
   */
  check(): Promise<void>;
}
