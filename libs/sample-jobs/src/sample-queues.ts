import type { QueueOptions } from 'nestjs-scheduled-jobs';

/** Where exports wait, so that nothing else waits behind them. */
export const EXPORTS_QUEUE = 'exports';

/** Limits for all workers together; both applications say the same. */
export const SAMPLE_QUEUES: Readonly<Record<string, QueueOptions>> = { [EXPORTS_QUEUE]: { concurrency: 2 } };
