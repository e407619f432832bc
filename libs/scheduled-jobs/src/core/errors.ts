import { durationText } from './duration.js';
import { member } from './execution/guarded-read.js';

/** Every code an error of this package can carry. Callers test the code or the class, never the text. */
export type JobsErrorCode =
  | 'JOBS_ATTEMPT_TIMEOUT'
  | 'JOBS_BACKFILL_NOT_FOUND'
  | 'JOBS_DUPLICATE_EXECUTION'
  | 'JOBS_DUPLICATE_JOB'
  | 'JOBS_EXECUTION_CANCELED'
  | 'JOBS_EXECUTION_ENDED'
  | 'JOBS_EXECUTION_HELD'
  | 'JOBS_EXECUTION_NOT_FAILED'
  | 'JOBS_EXECUTION_NOT_FOUND'
  | 'JOBS_EXECUTION_NOT_REPLAYABLE'
  | 'JOBS_INVALID_OPTIONS'
  | 'JOBS_INVALID_PAYLOAD'
  | 'JOBS_INVALID_QUERY'
  | 'JOBS_INVALID_REQUEST'
  | 'JOBS_INVALID_SCHEDULE'
  | 'JOBS_ITEMS_FAILED'
  | 'JOBS_JOB_PAUSED'
  | 'JOBS_LEASE_LOST'
  | 'JOBS_NAMED_LEASE_LOST'
  | 'JOBS_OVERLAP'
  | 'JOBS_PAYLOAD_INVALID'
  | 'JOBS_PERMANENT'
  | 'JOBS_RETRY_LATER'
  | 'JOBS_SCHEMA_VERSION'
  | 'JOBS_SHUTDOWN'
  | 'JOBS_STEP_RESULT'
  | 'JOBS_STORE_UNAVAILABLE'
  | 'JOBS_TRANSACTION_IDLE'
  | 'JOBS_UNKNOWN_JOB'
  | 'JOBS_WEBHOOK_FAILED'
  | 'JOBS_WORKER_LOST';

/** The base of all errors of this package: a string code beside the text. */
export class JobsError extends Error {
  constructor(
    readonly code: JobsErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The text shows them already: Node must not print each a second time. */
const hideProblems = (error: JobsError, problems: readonly string[]): unknown =>
  Object.defineProperty(error, 'problems', { value: problems, enumerable: false });

const list = (problems: readonly string[]): string => problems.map((problem) => `\n- ${problem}`).join('');

/** Option values that cannot work; carries every problem found, not only the first. */
export class InvalidOptionsError extends JobsError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super('JOBS_INVALID_OPTIONS', `Invalid options of nestjs-scheduled-jobs:${list(problems)}`);
    hideProblems(this, problems);
  }
}

/** A cron expression, time zone or period form that cannot work; carries every problem found. */
export class InvalidScheduleError extends JobsError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super('JOBS_INVALID_SCHEDULE', `Invalid schedule:${list(problems)}`);
    hideProblems(this, problems);
  }
}

/** Two handlers claim one job name. */
export class DuplicateJobError extends JobsError {
  constructor(
    readonly jobName: string,
    readonly places: readonly string[],
  ) {
    super(
      'JOBS_DUPLICATE_JOB',
      `The job name "${jobName}" is used by ${places.join(' and ')}. Give each job a name of its own; names that differ only in case count as the same.`,
    );
  }
}

/** A job name that no definition of this application carries. */
export class UnknownJobError extends JobsError {
  constructor(
    readonly jobName: string,
    /** A name that is close, or the one that the job has now. */
    options: { readonly suggestion?: string; readonly renamedTo?: string } = {},
  ) {
    super('JOBS_UNKNOWN_JOB', `There is no job "${jobName}" in this application${unknownJobAdvice(options)}`);
  }
}

function unknownJobAdvice({
  suggestion,
  renamedTo,
}: {
  readonly suggestion?: string;
  readonly renamedTo?: string;
}): string {
  if (renamedTo !== undefined) return `: it was renamed to "${renamedTo}". Use the new name.`;
  const meant = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  return `.${meant} Import the module whose provider carries the decorated method.`;
}

/** No execution has this key or id. */
export class ExecutionNotFoundError extends JobsError {
  constructor(readonly key: string) {
    super('JOBS_EXECUTION_NOT_FOUND', `There is no execution with the key or id "${key}".`);
  }
}

/** A payload, key or run time that cannot be stored; raised where it is handed in, before anything is written. */
export class InvalidPayloadError extends JobsError {
  readonly problems: readonly string[];
  constructor(
    readonly jobName: string,
    problems: readonly string[],
  ) {
    super('JOBS_INVALID_PAYLOAD', `The job "${jobName}" cannot be enqueued:${list(problems)}`);
    hideProblems(this, problems);
  }
}

/** A list query whose filter, limit or cursor cannot work. */
export class InvalidQueryError extends JobsError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super('JOBS_INVALID_QUERY', `Invalid query:${list(problems)}`);
    hideProblems(this, problems);
  }
}

/** An operation whose options cannot work, before anything is written; carries every problem found. */
export class InvalidRequestError extends JobsError {
  readonly problems: readonly string[];
  /** @param operation What was asked for, such as `pause "daily-report"`. */
  constructor(
    readonly operation: string,
    problems: readonly string[],
  ) {
    super('JOBS_INVALID_REQUEST', `Cannot ${operation}:${list(problems)}`);
    hideProblems(this, problems);
  }
}

/** The job is paused; nothing was written. */
export class JobPausedError extends JobsError {
  constructor(
    readonly jobName: string,
    readonly pausedAt: Date,
    readonly reason: string | null,
  ) {
    super(
      'JOBS_JOB_PAUSED',
      `The job "${jobName}" is paused since ${pausedAt.toISOString()}${reason === null ? '' : ` (${reason})`}. Resume it, or trigger it with "force: true": the execution then waits until the job is resumed.`,
    );
  }
}

/** Something that has not ended is in the way of a triggered execution, and the job leaves out what meets it. */
export class OverlapError extends JobsError {
  constructor(
    readonly jobName: string,
    /** The id of the execution that is in the way. */
    readonly blockedBy: string,
    blockingKey: string,
  ) {
    super(
      'JOBS_OVERLAP',
      `The job "${jobName}" has overlap "skip", and its execution "${blockingKey}" has not ended. Nothing was added. Trigger the job when it has ended, or cancel it first.`,
    );
  }
}

/** No backfill has this id. */
export class BackfillNotFoundError extends JobsError {
  constructor(readonly backfillId: string) {
    super('JOBS_BACKFILL_NOT_FOUND', `There is no backfill with the id "${backfillId}".`);
  }
}

/** A named lease ended while its holder was at work: another one may hold it, and nothing done here is protected. */
export class NamedLeaseLostError extends JobsError {
  constructor(
    readonly leaseName: string,
    readonly leaseToken: string,
    options?: ErrorOptions,
  ) {
    super(
      'JOBS_NAMED_LEASE_LOST',
      `The lease "${leaseName}" (token ${leaseToken}) is lost. Another process may hold it: roll back what was done under it.`,
      options,
    );
  }
}

/** The key was used before and the job's `duplicates` is `reject`. */
export class DuplicateExecutionError extends JobsError {
  constructor(
    readonly key: string,
    readonly executionId: string,
  ) {
    super('JOBS_DUPLICATE_EXECUTION', `The key "${key}" was used before, by execution ${executionId}.`);
  }
}

/** This worker's lease on the execution ended; another worker may run it, and nothing written here counts any more. */
export class LeaseLostError extends JobsError {
  constructor(
    readonly key: string,
    readonly leaseToken: string,
  ) {
    super(
      'JOBS_LEASE_LOST',
      `The lease ${leaseToken} on "${key}" is lost. Writes through the run are refused and its transactions roll back.`,
    );
  }
}

/** Somebody asked this execution to stop. */
export class ExecutionCanceledError extends JobsError {
  constructor(readonly key: string) {
    super('JOBS_EXECUTION_CANCELED', `The execution "${key}" was asked to stop.`);
  }
}

/** The handler ran longer than the job's `timeout`. */
export class AttemptTimeoutError extends JobsError {
  constructor(
    readonly key: string,
    readonly timeoutMs: number,
  ) {
    super('JOBS_ATTEMPT_TIMEOUT', `The attempt of "${key}" ran longer than its timeout of ${durationText(timeoutMs)}.`);
  }
}

/** The process shuts down and the time for running handlers is over. */
export class ShutdownError extends JobsError {
  constructor(readonly key: string) {
    super('JOBS_SHUTDOWN', `The worker shuts down; "${key}" is handed back and does not use up an attempt.`);
  }
}

/** The database cannot be reached or refuses work for now; the same call may succeed later. */
export class StoreUnavailableError extends JobsError {
  constructor(action: string, options?: ErrorOptions) {
    super('JOBS_STORE_UNAVAILABLE', `The database was not available to ${action}.`, options);
  }
}

/** A transaction of a run sent no statement for as long as the lease, so the database ended it; its changes are gone. */
export class TransactionIdleError extends JobsError {
  constructor(
    readonly key: string,
    readonly leaseMs: number,
    options?: ErrorOptions,
  ) {
    super(
      'JOBS_TRANSACTION_IDLE',
      `The transaction of "${key}" sent no statement for longer than its lease of ${durationText(leaseMs)}, so the database ended it. Make slow calls outside of the transaction, or raise the job's "lease".`,
      options,
    );
  }
}

/** The database schema and this version of the package do not fit. */
export class SchemaVersionError extends JobsError {
  constructor(message: string) {
    super('JOBS_SCHEMA_VERSION', message);
  }
}

/** More items failed than `maxFailures` allows, or `onError` is `fail`; its cause is the error of the last one. */
export class ItemsFailedError extends JobsError {
  readonly itemKey: string;
  constructor(
    readonly itemsName: string,
    readonly failures: number,
    options: ErrorOptions & { readonly itemKey: string },
  ) {
    super(
      'JOBS_ITEMS_FAILED',
      `"${itemsName}": ${failures} item(s) failed, more than this run may skip; the last one is ${options.itemKey}.`,
      options,
    );
    this.itemKey = options.itemKey;
  }
}

const PERMANENT = Symbol.for('nestjs-scheduled-jobs/permanent-error');
const RETRY_LATER = Symbol.for('nestjs-scheduled-jobs/retry-later-error');

/** Thrown by a handler: another attempt cannot help, so the execution fails at once. */
export class PermanentError extends JobsError {
  readonly [PERMANENT] = true;
  constructor(message: string, options?: ErrorOptions) {
    super('JOBS_PERMANENT', message, options);
  }
}

/**
 * A stored payload that the job's rules refuse when it is run. The execution fails at once; correct the payload and replay
 * it.
 */
export class PayloadInvalidError extends JobsError {
  readonly [PERMANENT] = true;
  constructor(key: string, options: ErrorOptions) {
    const why = member(options.cause, 'message');
    super(
      'JOBS_PAYLOAD_INVALID',
      `The payload of "${key}" does not fit its job: ${typeof why === 'string' ? why : 'it was refused'}`,
      options,
    );
  }
}

/**
 * Thrown by a handler: not now. The execution waits for `retryAfter`, at least 1 s and at most the job's
 * `retryAfterMax`, and this call does not count as an attempt; the job's `deadline` still applies.
 */
export class RetryLaterError extends JobsError {
  readonly [RETRY_LATER] = true;
  /** When to try again: milliseconds from now, or an instant. Null leaves it to the job's backoff. */
  readonly retryAfter: number | Date | null;
  constructor(message: string, options: ErrorOptions & { readonly retryAfter?: number | Date } = {}) {
    super('JOBS_RETRY_LATER', message, options);
    this.retryAfter = options.retryAfter ?? null;
  }
}

const isMarked = (error: unknown, mark: symbol): boolean =>
  typeof error === 'object' && error !== null && member(error, mark) === true;

/** Tells an error after which no other attempt can help, also one made by another copy of this package. */
export const isPermanentError = (error: unknown): error is PermanentError => isMarked(error, PERMANENT);

/** Tells a RetryLaterError, also one made by another copy of this package. */
export const isRetryLaterError = (error: unknown): error is RetryLaterError => isMarked(error, RETRY_LATER);
