import type { Occurrence } from '../calendar/schedule.js';
import type { NewExecution } from '../execution/new-execution.js';
import { executionKey } from '../job/execution-key.js';
import type { JobDefinition } from '../job/job-definition.js';

/** What is the same of a period's execution whoever makes it: a tick or a backfill. */
export type PeriodExecution = Omit<
  NewExecution,
  'runAt' | 'priority' | 'concurrencyKey' | 'deadlineMs' | 'trigger' | 'actor'
>;

/** The execution of an occurrence. Its key is the same at every time and in every process. */
export const periodExecution = (job: JobDefinition, occurrence: Occurrence): PeriodExecution => ({
  jobName: job.name,
  key: executionKey(job.name, occurrence.period),
  period: occurrence.period,
  interval: occurrence.interval,
  scheduledFor: occurrence.scheduledFor,
  queue: job.queue,
  payload: null,
  maxAttempts: job.retry.maxAttempts,
  leaseMs: job.leaseMs,
  skip: occurrence.skip,
});
