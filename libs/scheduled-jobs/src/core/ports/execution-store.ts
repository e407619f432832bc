import type { FinalState } from '../execution/execution-state.js';
import type { NewExecution } from '../execution/new-execution.js';
import type { OperatorRequest } from './operator-request.js';

/** The answer for one execution handed in. */
export interface Inserted {
  readonly executionId: string;
  readonly key: string;
  /** False = the key was used before, by `executionId`. */
  readonly created: boolean;
}

/** How an earlier execution with the same key stands. */
export interface ExistingExecution {
  readonly executionId: string;
  readonly key: string;
  /** Null = not ended yet. */
  readonly state: FinalState | null;
  readonly result: unknown;
}

/** Inserts executions, inside the caller's transaction when one is given. */
export interface ExecutionStore<Tx> {
  /** One statement for all; answers in the order given. */
  insert(
    executions: readonly NewExecution[],
    options: { readonly tx: Tx | null; readonly now: Date | null },
  ): Promise<readonly Inserted[]>;
  /**
   * The first of those that fill the slots of a concurrency key, running, waiting or about to be retried; null = there is
   * room, or an execution has this key already.
   */
  findBlocker(execution: {
    readonly concurrencyKey: string;
    readonly concurrency: number;
    readonly key: string | null;
  }): Promise<{ readonly executionId: string; readonly key: string } | null>;
  /** Inserts one that somebody asked for by hand, and notes in the audit who and why if it is new: one transaction. */
  insertTriggered(execution: NewExecution, request: OperatorRequest): Promise<Inserted>;
  /** The executions with these ids that are not pruned. */
  existing(executionIds: readonly string[], tx: Tx | null): Promise<readonly ExistingExecution[]>;
}
