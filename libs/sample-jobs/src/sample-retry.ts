import type { RetryOptions } from 'nestjs-scheduled-jobs';

/** What the samples do after a failed attempt: wait 1 s, 2 s, 4 s, then give up. A real job would wait longer. */
export const SAMPLE_RETRY: RetryOptions = { maxAttempts: 4, backoff: ['1s', '2s', '4s'] };
