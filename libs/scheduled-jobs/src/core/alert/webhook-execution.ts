import type { NewExecution } from '../execution/new-execution.js';
import { executionKey } from '../job/execution-key.js';
import type { JobDefinition } from '../job/job-definition.js';

/** The execution that delivers an alert. It holds the alert's id alone: where to is the secret of whoever runs it. */
export const webhookExecution = (job: JobDefinition, alertId: string): NewExecution => ({
  jobName: job.name,
  key: executionKey(job.name, alertId),
  period: null,
  interval: null,
  scheduledFor: null,
  runAt: null,
  queue: job.queue,
  priority: job.priority,
  payload: JSON.stringify({ alertId }),
  concurrencyKey: null,
  maxAttempts: job.retry.maxAttempts,
  leaseMs: job.leaseMs,
  deadlineMs: job.retry.deadlineMs,
  trigger: 'enqueue',
  actor: null,
  traceParent: null,
  skip: null,
});
