import type { JobDefinition, JobSchedule } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import type { DueSchedule, SchedulePlan } from '../../libs/scheduled-jobs/src/core/ports/schedule-store.js';
import * as resolved from './engine.js';
import { newExecution, T0 } from './ledger.js';

interface DefinitionOptions {
  readonly name?: string;
  readonly expression?: string;
  readonly definition?: Partial<JobSchedule['definition']>;
  /** Null = the time of the registration. */
  readonly startAt?: Date | null;
  readonly disabled?: boolean;
}

/** A job that is due every second from T0 on, if not said otherwise. */
export const scheduledJob = (options: DefinitionOptions = {}): JobDefinition => {
  const { expression = '* * * * * *', definition, startAt = T0, ...others } = options;
  return resolved.scheduledJob(expression, { ...others, ...definition, startAt: startAt ?? undefined });
};

/** A job without a schedule, whose executions run one after the other. */
export const backgroundJob = (name: string, concurrency = 1): JobDefinition =>
  resolved.backgroundJob({ name, concurrency, overlap: 'queue' });

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
      skippedRange: null,
      cursorAt: executions.at(-1)?.scheduledFor ?? due.cursorAt,
      nextAt: new Date((last + 1) * 1_000),
    };
  };

export function secondOf(jobName: string, second: number) {
  const scheduledFor = new Date(second * 1_000);
  const period = scheduledFor.toISOString();
  return newExecution({ jobName, key: `${jobName}:${period}`, period, scheduledFor, trigger: 'schedule' });
}
