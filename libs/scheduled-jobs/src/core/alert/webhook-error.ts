import { JobsError } from '../errors.js';

/**
 * An alert could not be delivered. It carries the status of the answer, by which it is judged, and nothing of the address:
 * that is often a secret.
 */
export class WebhookError extends JobsError {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;

  /** @param retryAfter The answer's `Retry-After`; null = it has none. */
  constructor(problem: string, answer: { readonly status: number | null; readonly retryAfter: string | null }) {
    super('JOBS_WEBHOOK_FAILED', `The webhook of alerts ${problem}.`);
    this.status = answer.status;
    this.headers = answer.retryAfter === null ? {} : { 'retry-after': answer.retryAfter };
  }
}
