import { parseSchedule } from '../../libs/scheduled-jobs/src/core/calendar/schedule.js';
import type { JobDefinition, JobSchedule } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import type { DueSchedule, SchedulePlan } from '../../libs/scheduled-jobs/src/core/ports/schedule-store.js';
import { newExecution, T0 } from './ledger.js';

interface DefinitionOptions {
  readonly name?: string;
  readonly expression?: string;
  readonly definition?: Partial<JobSchedule['definition']>;
  readonly startAt?: Date | null;
  readonly concurrency?: number;
  readonly disabled?: boolean;
}

/** A scheduled job as the registration sees it. */
export function scheduledJob(options: DefinitionOptions = {}): JobDefinition {
  const definition = { timeZone: 'UTC', ...options.definition };
  const expression = options.expression ?? '* * * * * *';
  return {
    ...backgroundJob(options.name ?? 'job', options.concurrency),
    disabled: options.disabled ?? false,
    schedule: {
      expression,
      definition,
      schedule: parseSchedule(expression, definition),
      catchUp: { policy: 'all', windowMs: 86_400_000, limit: 1_000, graceMs: 60_000, maxPerMinute: null },
      startAt: options.startAt === undefined ? T0 : options.startAt,
    },
  };
}

/** A job without a schedule. */
export const backgroundJob = (name: string, concurrency = 1): JobDefinition => ({
  name,
  place: 'Test.job',
  schedule: null,
  queue: 'default',
  priority: 0,
  overlap: 'queue',
  concurrency,
  concurrencyKey: null,
  retry: {
    maxAttempts: 4,
    backoff: { kind: 'list', delaysMs: [1_000] },
    deadlineMs: 86_400_000,
    retryAfterMaxMs: 3_600_000,
  },
  timeoutMs: 3_600_000,
  abortGraceMs: 30_000,
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  transactional: false,
  disabled: false,
  payload: null,
  key: null,
  duplicates: 'return-existing',
});

/** Plans an execution for every second after the cursor, up to now or up to a number of them. */
export const everySecond =
  (most = 1_000) =>
  (due: DueSchedule): SchedulePlan => {
    const first = Math.floor(due.cursorAt.getTime() / 1_000) + 1;
    const last = Math.min(Math.floor(due.now.getTime() / 1_000), first + most - 1);
    const executions = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
      secondOf(due.jobName, first + index),
    );
    return {
      executions,
      skippedRanges: [],
      cursorAt: executions.at(-1)?.scheduledFor ?? due.cursorAt,
      nextAt: new Date((last + 1) * 1_000),
    };
  };

export function secondOf(jobName: string, second: number) {
  const scheduledFor = new Date(second * 1_000);
  const period = scheduledFor.toISOString();
  return newExecution({ jobName, key: `${jobName}:${period}`, period, scheduledFor, trigger: 'schedule' });
}
