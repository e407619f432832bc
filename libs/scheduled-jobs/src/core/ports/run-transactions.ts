import type { AttemptRecord, RecordedAttempt, StoredError } from '../execution/attempt-record.js';
import type { Lease } from '../execution/claimed-execution.js';
import type { Counts } from '../execution/counts.js';
import type { ItemKey } from '../job/run-items.js';
import type { StepStore } from './step-store.js';

/** How far `run.items` has come. */
export interface Checkpoint {
  readonly itemsName: string;
  /** The key of the last handled item. */
  readonly after: ItemKey | null;
  /** True = the walk is over. */
  readonly done: boolean;
  /** Items recorded as failed so far. */
  readonly failures: number;
}

/** What is committed together with a transaction of a run. */
export interface CommittedWith {
  readonly counts: Counts;
  readonly checkpoint: Checkpoint | null;
  readonly failedItem: { readonly itemKey: string; readonly error: StoredError } | null;
}

/** The lease that a transaction of a run needs. */
export interface RunLease extends Lease {
  /** Of the execution, for errors. */
  readonly key: string;
  /** How long the process may stay silent inside the transaction. */
  readonly leaseMs: number;
  /** Ends the wait for a connection; undefined = it waits until there is one. */
  readonly signal?: AbortSignal;
}

/** Transactions of a run: READ COMMITTED, ended by the server when the process freezes, fenced as their last statement. */
export interface RunTransactions<Tx> {
  readonly steps: StepStore<Tx>;
  checkpoint(lease: Lease, itemsName: string): Promise<Checkpoint | null>;
  /**
   * Runs `work`, then `committedWith` and the fence as the last statement.
   * @throws LeaseLostError when the lease is gone, ExecutionCanceledError when the execution was asked to stop; both after
   * the rollback. TransactionIdleError when the process was silent inside it for too long.
   */
  run<T>(lease: RunLease, work: (tx: Tx) => Promise<T>, committedWith: (value: T) => CommittedWith): Promise<T>;
  /**
   * Runs `work`, then records the attempt it returns as the last statement of the same transaction.
   * @throws LeaseLostError when the lease is gone, ExecutionCanceledError when the execution was asked to stop; both after
   * the rollback.
   */
  runAndFinish(lease: RunLease, work: (tx: Tx) => Promise<AttemptRecord>, workerId: string): Promise<RecordedAttempt>;
}
