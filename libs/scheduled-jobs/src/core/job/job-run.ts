import type { Interval } from '../calendar/schedule.js';
import type { Counts } from '../execution/counts.js';
import type { Trigger } from '../execution/execution-state.js';
import type { ItemsHandler, ItemsOptions } from './run-items.js';
import type { StepWork, TransactionStepWork } from './run-steps.js';

/** Log lines of one run, kept with its execution. Fields must be plain data. */
export interface RunLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What people see while a run is going on. */
export interface RunProgress {
  /** A short word such as `rendering`, at most 100 characters. */
  readonly stage?: string;
  /** 0 … 100. */
  readonly percent?: number;
}

/**
 * One call of a job's handler: what it is about and what it may do. `P` is the payload, `Tx` the transaction handle
 * (TypeORM's EntityManager in the Nest adapter).
 *
 * Its parts may be taken out (`const { log, signal } = run`), but a copy by spreading (`{ ...run }`) lacks those that are made
 * when they are first asked for: `signal`, `log`, `step`, `stepInTransaction`.
 */
export interface JobRun<P = null, Tx = unknown> {
  readonly executionId: string;
  /** `job:period`, or `job:<idempotency key>`. */
  readonly key: string;
  readonly jobName: string;
  /** The period's label, such as `2026-08-14`; null for a background job. */
  readonly period: string | null;
  /** The data interval `[start, end)` of the period; null for a background job. */
  readonly interval: Interval | null;
  readonly scheduledFor: Date;
  /** 1 for the first counted call. */
  readonly attempt: number;
  readonly payload: P;
  /** Aborts when the lease is lost, the timeout is over, the execution is canceled or the process shuts down. */
  readonly signal: AbortSignal;
  /** Strictly greater at each claim, so other systems can refuse the writes of an older run. */
  readonly leaseToken: string;
  readonly trigger: Trigger;
  /** The W3C traceparent of the span that asked for it; null = none was recorded, as for what ticks make. */
  readonly traceParent: string | null;
  /** The same for every attempt of this execution: send it along with calls to other systems. */
  readonly idempotencyKey: string;
  /** The transaction that ends with the completion; undefined unless the job is `transactional`. */
  readonly manager: Tx | undefined;
  readonly log: RunLog;
  /** Shows stage and percent to readers; written at most once a second. */
  progress(progress: RunProgress): void;
  /** Adds to the counts of this attempt. Inside `run.transaction` they are committed with it and survive a retry. */
  count(counts: Partial<Counts>): void;
  /**
   * Runs `work` in a READ COMMITTED transaction that commits only while this run holds its lease.
   * @throws LeaseLostError when the lease was lost; everything done through the transaction is rolled back.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Does something once and remembers what it gave across attempts, rescues, retries and replays. The result is recorded
   * after the work, so a crash in between, or a database that is away, repeats it with the same `idempotencyKey`; a step
   * that throws is done again by the next attempt. A forced replay of a success forgets its steps.
   *
   * It gives the result as JSON keeps it, also the first time: `undefined` is null, a Date is a text. At most 256 KiB each
   * and 16 MiB for all steps of an execution, of which there are at most 1,000. It commits by itself, also inside a
   * transaction of the run.
   * @param name 1–100 characters, unique within the handler. Another name is another step.
   * @throws InvalidOptionsError for a name that cannot be one; PermanentError when the name is being done already by this
   * run or there are too many steps; StepResultError, a PermanentError, when the result cannot be stored; the signal's
   * reason when it has fired before; LeaseLostError when the lease was lost, and nothing is recorded then.
   */
  step<T>(name: string, work: StepWork<T>): Promise<T>;
  /**
   * As `step`, exactly once: the work's changes and its record commit in one transaction, as in `run.transaction`. In a
   * `transactional` job they commit with the completion.
   * @throws as `step` and `transaction`; everything done through the transaction is rolled back.
   */
  stepInTransaction<T>(name: string, work: TransactionStepWork<T, Tx>): Promise<T>;
  /**
   * Handles a set of items in chunks: each chunk's changes, its checkpoint and its counts commit together, so a later
   * attempt goes on behind the last committed chunk.
   * @throws ItemsFailedError when an item fails and `onError` is `fail`, or more than `maxFailures` fail.
   * @throws LeaseLostError when the lease was lost.
   */
  items<T>(options: ItemsOptions<T, Tx>, handler: ItemsHandler<T, Tx>): Promise<Counts>;
}
