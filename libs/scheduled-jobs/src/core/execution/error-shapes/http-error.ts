import { member } from '../guarded-read.js';
import type { ErrorKind, Judgement } from '../judgement.js';
import { retryAfterOf } from './retry-after.js';

const REQUEST_TIMEOUT = 408;
const TOO_EARLY = 425;
const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;

/**
 * Judges an error that carries the status of an HTTP answer: of axios, undici, ky, got, superagent or the AWS SDK, an
 * exception of Nest or `http-errors`, or a `Response` itself. Null = it carries none.
 */
export function judgeHttpError(error: unknown): Judgement | null {
  const response = member(error, 'response');
  const status = statusOf(error) ?? statusOf(response) ?? statusOf(member(error, '$metadata'));
  if (status === null) return null;
  const retryAfter = retryAfterOf(member(response, 'headers')) ?? retryAfterOf(member(error, 'headers'));
  return { kind: kindOf(status, retryAfter !== null), retryAfter };
}

function statusOf(owner: unknown): number | null {
  for (const name of ['status', 'statusCode', 'httpStatusCode']) {
    const status = member(owner, name);
    if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  return null;
}

function kindOf(status: number, hasRetryAfter: boolean): ErrorKind {
  if (status === TOO_MANY_REQUESTS || (status === SERVICE_UNAVAILABLE && hasRetryAfter)) return 'throttled';
  return status >= 500 || status === REQUEST_TIMEOUT || status === TOO_EARLY ? 'transient' : 'permanent';
}
