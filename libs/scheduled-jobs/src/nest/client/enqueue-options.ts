import type { EntityManager } from 'typeorm';
import type { FinalState } from '../../core/execution/execution-state.js';

/** How one execution is enqueued. */
export interface EnqueueOptions {
  /** The idempotency key, 1–300 characters. Default what the job's `key` makes of the payload, else none. */
  readonly key?: string;
  /** The earliest start, at any time. Default at once. */
  readonly runAt?: Date;
  /** −1000 … 1000, smaller runs first. Default the job's. */
  readonly priority?: number;
  /** Default the job's. */
  readonly queue?: string;
  /**
   * The transaction to insert in: the EntityManager that `dataSource.transaction()` hands out. Default a transaction of
   * its own.
   */
  readonly manager?: EntityManager;
}

/** One of many executions to enqueue. */
export interface EnqueueItem extends Omit<EnqueueOptions, 'manager'> {
  readonly payload?: unknown;
}

/** How an execution is triggered by hand. */
export interface TriggerOptions {
  /**
   * The label of a period of a scheduled job that has begun, such as `2026-08-14`: the execution is the one that a tick
   * would have made.
   */
  readonly period?: string;
  /** An idempotency key, 1–300 characters, so that two clicks are one execution. Not together with `period`. */
  readonly key?: string;
  /** Of a background job. */
  readonly payload?: unknown;
  /** Who asked for it, 1–200 characters. Default null: nobody in particular. */
  readonly actor?: string | null;
  /** Why, 1–1,000 characters; kept in the audit. */
  readonly reason?: string;
  /** True = also while the job is paused; the execution then waits until the job is resumed. Default false. */
  readonly force?: boolean;
}

/** An execution as the call that inserted it knows it. */
export interface EnqueuedExecution {
  readonly executionId: string;
  /** `job:period`, `job:<idempotency key>`, or `job:id:<id>`. */
  readonly key: string;
  /** How it ended; null = not yet. */
  readonly state: FinalState | null;
  /** What its handler returned: only with `return-result`, and once it has succeeded. */
  readonly result?: unknown;
}

/** The answer to an enqueue or a trigger. */
export interface EnqueueResult {
  /** Null when it was not looked for (`ignore`) or does not exist any more (`pruned`). */
  readonly execution: EnqueuedExecution | null;
  /** False = the key was used before. */
  readonly created: boolean;
  /** The key was used by an execution that retention has removed since. */
  readonly pruned?: true;
}

/** The answer to `enqueueMany`. */
export interface EnqueueManyResult {
  /** In the order given; `executionId` and `key` of a duplicate are those of the execution that used the key before. */
  readonly executions: readonly { readonly executionId: string; readonly key: string; readonly created: boolean }[];
  readonly created: number;
  readonly duplicates: number;
}
