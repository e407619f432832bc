import type { AttemptRecord, RecordedAttempt, StoredError } from '../execution/attempt-record.js';
import type { Lease } from '../execution/claimed-execution.js';
import type { Counts } from '../execution/counts.js';
import type { ItemKey } from '../job/run-items.js';
import type { ItemKeyStore } from './item-key-store.js';
import type { StepStore } from './step-store.js';

/** How far `run.items` has come. */
export interface Checkpoint {
  readonly itemsName: string;
  /** For a set that does not change any more: its keys are being stored, or all are. Undefined = it is read live. */
  readonly frozen?: 'storing' | 'stored';
  /** The key of the last handled item, or of the last stored one; null also while stored keys are handled. */
  readonly after: ItemKey | null;
  /** True = the walk is over. */
  readonly done: boolean;
  /** Items recorded as failed so far. */
  readonly failures: number;
}

/** A checkpoint as it is read. */
export interface FoundCheckpoint extends Checkpoint {
  /**
   * After a replay of an execution that had completed with errors: the token of that attempt. Items that failed up to then
   * are to be handled again.
   */
  readonly retryUpTo?: string;
}

/** What is committed together with a transaction of a run. */
export interface CommittedWith {
  readonly counts: Counts;
  readonly checkpoint: Checkpoint | null;
  readonly failedItem: { readonly itemKey: ItemKey; readonly error: StoredError } | null;
  /** How many of the items were counted as failed before, and are not any more. Default none. */
  readonly retried?: number;
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
  readonly itemKeys: ItemKeyStore<Tx>;
  checkpoint(lease: Lease, itemsName: string): Promise<FoundCheckpoint | null>;
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
