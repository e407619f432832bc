import type { Lease } from '../execution/claimed-execution.js';

/** The end of a step. */
export interface StepRecord {
  readonly stepName: string;
  /** JSON text of what it gave; null = nothing. */
  readonly result: string | null;
  /** Database time; also below. */
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

/** Remembers the steps of executions. */
export interface StepStore<Tx> {
  /** Results of the finished steps of an execution by name, as JSON text. */
  find(executionId: string): Promise<ReadonlyMap<string, string | null>>;
  /**
   * Records a finished step, in the run's transaction where there is one.
   * @throws LeaseLostError when the lease is gone; nothing is recorded then.
   */
  record(lease: Lease & { readonly key: string }, step: StepRecord, tx: Tx | null): Promise<void>;
}
