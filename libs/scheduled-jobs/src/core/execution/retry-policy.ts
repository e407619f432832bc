/** How long to wait before the next attempt. */
export type Backoff =
  | { readonly kind: 'list'; readonly delaysMs: readonly number[] }
  | { readonly kind: 'exponential'; readonly firstMs: number; readonly factor: number; readonly maxMs: number };

/**
 * How much of a wait is left to chance, so that executions that failed together do not come back together. Chance only
 * shortens: `none` = exactly the backoff, `equal` = half of it up to all of it, `full` = anything up to all of it.
 */
export const JITTERS = ['none', 'equal', 'full'] as const;
export type Jitter = (typeof JITTERS)[number];

const SHARE_OF_CHANCE: Readonly<Record<Jitter, number>> = { none: 0, equal: 0.5, full: 1 };

/** The resolved `retry` option of a job. */
export interface RetryPolicy {
  /** Counted calls of the handler, at least 1. */
  readonly maxAttempts: number;
  readonly backoff: Backoff;
  readonly jitter: Jitter;
  /** From the first time the execution may run; no attempt starts later. */
  readonly deadlineMs: number;
  /** The longest wait that a `RetryLaterError` or a `Retry-After` may ask for. */
  readonly retryAfterMaxMs: number;
}

/**
 * The wait before the attempt that follows the given one, in whole milliseconds: never more than the backoff, and 0 only
 * where the backoff is.
 * @param random From 0 up to, but not, 1.
 */
export function retryDelayMs({ backoff, jitter }: RetryPolicy, attempt: number, random: number): number {
  const delayMs = backoffMs(backoff, attempt);
  return delayMs - Math.floor(delayMs * SHARE_OF_CHANCE[jitter] * random);
}

/**
 * The longest wait before the attempt that follows the given one. A list repeats its last delay; an exponential one stays
 * at `maxMs`, also where the power overflows.
 */
function backoffMs(backoff: Backoff, attempt: number): number {
  if (backoff.kind === 'list') {
    return backoff.delaysMs[Math.min(attempt, backoff.delaysMs.length) - 1] ?? 0;
  }
  const delayMs = backoff.firstMs * backoff.factor ** (attempt - 1);
  return Number.isFinite(delayMs) ? Math.min(Math.round(delayMs), backoff.maxMs) : backoff.maxMs;
}
