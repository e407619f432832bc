import type { AttemptOutcome } from './execution-state.js';
import type { Disposition } from './attempt-record.js';
import type { Judgement } from './judgement.js';
import { retryDelayMs, type RetryPolicy } from './retry-policy.js';

/** Why the engine asked a handler to stop. */
export type StopCause = 'timeout' | 'cancel' | 'shutdown';

/** How an attempt ended, and what decides about another one. */
export interface AttemptEnd {
  /** What the handler's error says about another attempt; null = it returned, or did not settle in time. */
  readonly failure: Judgement | null;
  readonly stopCause: StopCause | null;
  /** Items that `run.items` recorded as failed. */
  readonly itemFailures: number;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly retry: RetryPolicy;
  readonly deadlineAt: Date | null;
  /** Database time. */
  readonly now: Date;
  /** For the jitter: from 0 up to, but not, 1. */
  readonly random: number;
}

/** What becomes of the execution, and what the attempt is recorded as. */
export interface Settlement {
  readonly disposition: Exclude<Disposition, 'released' | 'skipped'>;
  readonly outcome: Exclude<AttemptOutcome, 'lost'>;
  /** For `retry`: when; null = at once. */
  readonly runAt: Date | null;
  /** `deadline` when only the deadline forbids another attempt. */
  readonly reason: 'deadline' | null;
}

/** The shortest wait for another call that does not count: nothing else bounds how many there are. */
const MIN_LATER_MS = 1_000;

/**
 * Decides what becomes of an attempt. The engine's own request to stop comes first: a handler that returns after it may
 * have left its work half done. Then what its error says, then the attempts that are left.
 */
export function settle(end: AttemptEnd): Settlement {
  switch (end.stopCause) {
    case 'cancel':
      return final('canceled', 'canceled');
    case 'shutdown':
      return { disposition: 'retry', outcome: 'interrupted', runAt: null, reason: null };
    case 'timeout':
      return again(end, 'timed_out');
    case null:
      return end.failure === null ? success(end) : failed(end, end.failure);
  }
}

const final = (
  disposition: 'succeeded' | 'completed_with_errors' | 'failed' | 'canceled',
  outcome: Settlement['outcome'],
  reason: Settlement['reason'] = null,
): Settlement => ({ disposition, outcome, runAt: null, reason });

function success({ itemFailures }: AttemptEnd): Settlement {
  const state = itemFailures > 0 ? 'completed_with_errors' : 'succeeded';
  return final(state, state);
}

function failed(end: AttemptEnd, failure: Judgement): Settlement {
  switch (failure.kind) {
    case 'permanent':
      return final('failed', 'failed');
    case 'throttled':
      return later(end, failure);
    case 'transient':
      return again(end, 'failed');
  }
}

/** Another attempt after the backoff, if one is left. */
function again(end: AttemptEnd, outcome: 'failed' | 'timed_out'): Settlement {
  if (end.attempt >= end.maxAttempts) return final('failed', outcome);
  const runAt = new Date(end.now.getTime() + retryDelayMs(end.retry, sinceReplay(end), end.random));
  return isTooLate(runAt, end)
    ? final('failed', outcome, 'deadline')
    : { disposition: 'retry', outcome, runAt, reason: null };
}

/** Another call after the wait that was asked for, or else the backoff; it does not count as an attempt. */
function later(end: AttemptEnd, { retryAfter }: Judgement): Settlement {
  const waitMs = Math.max(Math.min(askedWaitMs(end, retryAfter), end.retry.retryAfterMaxMs), MIN_LATER_MS);
  const runAt = new Date(end.now.getTime() + waitMs);
  if (isTooLate(runAt, end)) return final('failed', 'failed', 'deadline');
  return { disposition: 'retry', outcome: 'deferred', runAt, reason: null };
}

function askedWaitMs(end: AttemptEnd, retryAfter: Judgement['retryAfter']): number {
  if (retryAfter === null) return retryDelayMs(end.retry, sinceReplay(end), end.random);
  return typeof retryAfter === 'number' ? retryAfter : retryAfter.getTime() - end.now.getTime();
}

/** The backoff begins anew with a replay, which allows as many attempts more as the job does. */
const sinceReplay = ({ attempt, maxAttempts, retry }: AttemptEnd): number =>
  Math.max(attempt - Math.max(maxAttempts - retry.maxAttempts, 0), 1);

// No attempt starts at or after the deadline: the claim would end the execution there.
const isTooLate = (runAt: Date, { deadlineAt }: AttemptEnd): boolean =>
  deadlineAt !== null && runAt.getTime() >= deadlineAt.getTime();
