import type { Occurrence } from '../calendar/schedule.js';
import type { NewExecution } from '../execution/new-execution.js';
import { executionKey } from '../job/execution-key.js';
import type { JobDefinition } from '../job/job-definition.js';

/** What whoever makes a period's execution decides about it. */
export type ExecutionTerms = Pick<
  NewExecution,
  'runAt' | 'priority' | 'concurrencyKey' | 'deadlineMs' | 'trigger' | 'actor'
>;

/**
 * The execution of an occurrence, made by a tick or by a backfill. Its key is the same at every time and in every process.
 * All members are written out: spread objects cost as much as all the rest of a long catch-up.
 */
export const periodExecution = (
  job: JobDefinition,
  occurrence: Occurrence,
  { runAt, priority, concurrencyKey, deadlineMs, trigger, actor }: ExecutionTerms,
): NewExecution => ({
  jobName: job.name,
  key: executionKey(job.name, occurrence.period),
  period: occurrence.period,
  interval: occurrence.interval,
  scheduledFor: occurrence.scheduledFor,
  runAt,
  queue: job.queue,
  priority,
  payload: null,
  concurrencyKey,
  maxAttempts: job.retry.maxAttempts,
  leaseMs: job.leaseMs,
  deadlineMs,
  trigger,
  actor,
  traceParent: null,
  skip: occurrence.skip,
});
