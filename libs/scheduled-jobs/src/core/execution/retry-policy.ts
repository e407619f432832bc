/** How long to wait before the next attempt. */
export type Backoff =
  | { readonly kind: 'list'; readonly delaysMs: readonly number[] }
  | { readonly kind: 'exponential'; readonly firstMs: number; readonly factor: number; readonly maxMs: number };

/** The resolved `retry` option of a job. */
export interface RetryPolicy {
  /** Counted calls of the handler, at least 1. */
  readonly maxAttempts: number;
  readonly backoff: Backoff;
  /** From the first time the execution may run; no attempt starts later. */
  readonly deadlineMs: number;
  /** The longest wait that a `RetryLaterError` may ask for. */
  readonly retryAfterMaxMs: number;
}

/**
 * The wait before the attempt that follows the given one, in milliseconds. A list repeats its last delay; an
 * exponential one stays at `maxMs`, also where the power overflows.
 */
export function backoffMs(backoff: Backoff, attempt: number): number {
  if (backoff.kind === 'list') {
    return backoff.delaysMs[Math.min(attempt, backoff.delaysMs.length) - 1] ?? 0;
  }
  const delayMs = backoff.firstMs * backoff.factor ** (attempt - 1);
  return Number.isFinite(delayMs) ? Math.min(Math.round(delayMs), backoff.maxMs) : backoff.maxMs;
}
