import type { Lease } from './claimed-execution.js';
import { NO_COUNTS, type Counts } from './counts.js';
import type { AttemptOutcome, FinalState } from './execution-state.js';
import type { ErrorKind } from './judgement.js';

/** A thrown value as it is stored: bounded and without secrets. */
export interface StoredError {
  /** The name of its class, at most 200 characters. */
  readonly errorClass: string;
  /** Its `code`, when it has one. */
  readonly code: string | null;
  readonly message: string;
  readonly stack: string | null;
  /** Equal for errors of one class thrown at one place with the same text apart from its numbers and ids. */
  readonly fingerprint: string;
}

/** Why an attempt failed, and what that says about another one. */
export interface AttemptError extends StoredError {
  readonly kind: ErrorKind;
}

/** What becomes of the execution: a final state, another attempt, or handed back unstarted. */
export type Disposition = FinalState | 'retry' | 'released';

/** How one attempt ended, as the worker hands it to the ledger. */
export interface AttemptRecord extends Lease {
  readonly disposition: Disposition;
  /** Null exactly for `released`: the handler was not called, so there is no attempt row. */
  readonly outcome: AttemptOutcome | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date;
  /** For `retry`: when the next attempt may start; null = at once. */
  readonly runAt: Date | null;
  /** For `failed`: `deadline` when only the deadline forbids another attempt. */
  readonly reason: 'deadline' | null;
  /** JSON text, at most 256 KiB; null = none. */
  readonly result: string | null;
  /** Why there is no result although the handler returned one. */
  readonly resultNote: string | null;
  /** Counts that no transaction of the run has committed yet. */
  readonly counts: Counts;
  readonly error: AttemptError | null;
}

/** The ledger's answer for one recorded attempt. */
export interface RecordedAttempt {
  readonly executionId: string;
  /** The final state, `retry` or `released`. A cancel request wins over the worker's own wish. */
  readonly disposition: Disposition;
  /** The concurrency key whose slot became free. */
  readonly freedKey: string | null;
}

/** The record of a claim that is handed back: no attempt was made. */
export const unstarted = (lease: Lease, finishedAt: Date): AttemptRecord => ({
  ...lease,
  disposition: 'released',
  outcome: null,
  startedAt: null,
  finishedAt,
  runAt: null,
  reason: null,
  result: null,
  resultNote: null,
  counts: NO_COUNTS,
  error: null,
});
