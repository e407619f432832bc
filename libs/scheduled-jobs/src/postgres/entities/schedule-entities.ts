import { EntitySchema } from 'typeorm';
import type { SkippedRangeReason } from '../../core/execution/execution-state.js';
import type { OverlapPolicy } from '../../core/job/job-definition.js';
import { column, optional, primary } from './column.js';

/** A registered job. */
export class JobEntity {
  readonly name: string;
  readonly overlap: OverlapPolicy;
  readonly concurrency: number;
}

/** A schedule and its cursor. */
export class ScheduleEntity {
  readonly scheduleName: string;
  readonly jobName: string;
  readonly version: number;
  readonly cursorAt: Date;
  readonly nextAt: Date | null;
  readonly lastError: string | null;
  readonly failures: number;
  readonly retryAt: Date | null;
}

/** The text of a schedule, in force from an instant on. */
export class ScheduleVersionEntity {
  readonly scheduleName: string;
  readonly version: number;
  readonly validFrom: Date;
  readonly expression: string;
  readonly timeZone: string;
  readonly shape: Readonly<Record<string, unknown>>;
}

/** A recorded stretch of left-out occurrences. */
export class SkippedRangeEntity {
  readonly id: string;
  readonly jobName: string;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly occurrences: string;
  readonly reason: SkippedRangeReason;
  readonly createdAt: Date;
}

const jobs = (schema: string) =>
  new EntitySchema<JobEntity>({
    name: 'ScheduledJobsJob',
    target: JobEntity,
    schema,
    tableName: 'jobs',
    synchronize: false,
    columns: {
      name: primary('text', 'name'),
      overlap: column('text', 'overlap'),
      concurrency: column('smallint', 'concurrency'),
    },
  });

const schedules = (schema: string) =>
  new EntitySchema<ScheduleEntity>({
    name: 'ScheduledJobsSchedule',
    target: ScheduleEntity,
    schema,
    tableName: 'schedules',
    synchronize: false,
    columns: {
      scheduleName: primary('text', 'schedule_name'),
      jobName: column('text', 'job_name'),
      version: column('int', 'version'),
      cursorAt: column('timestamptz', 'cursor_at'),
      nextAt: optional('timestamptz', 'next_at'),
      lastError: optional('text', 'last_error'),
      failures: column('int', 'failures'),
      retryAt: optional('timestamptz', 'retry_at'),
    },
  });

const scheduleVersions = (schema: string) =>
  new EntitySchema<ScheduleVersionEntity>({
    name: 'ScheduledJobsScheduleVersion',
    target: ScheduleVersionEntity,
    schema,
    tableName: 'schedule_versions',
    synchronize: false,
    columns: {
      scheduleName: primary('text', 'schedule_name'),
      version: primary('int', 'version'),
      validFrom: column('timestamptz', 'valid_from'),
      expression: column('text', 'expression'),
      timeZone: column('text', 'time_zone'),
      shape: column('jsonb', 'shape'),
    },
  });

const skippedRanges = (schema: string) =>
  new EntitySchema<SkippedRangeEntity>({
    name: 'ScheduledJobsSkippedRange',
    target: SkippedRangeEntity,
    schema,
    tableName: 'skipped_ranges',
    synchronize: false,
    columns: {
      id: primary('bigint', 'id'),
      jobName: column('text', 'job_name'),
      fromAt: column('timestamptz', 'from_at'),
      toAt: column('timestamptz', 'to_at'),
      occurrences: column('bigint', 'occurrences'),
      reason: column('text', 'reason'),
      createdAt: column('timestamptz', 'created_at'),
    },
  });

/** The read models of jobs and schedules in a schema. */
export const scheduleEntities = (schema: string): readonly EntitySchema[] => [
  jobs(schema),
  schedules(schema),
  scheduleVersions(schema),
  skippedRanges(schema),
];
