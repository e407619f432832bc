import { EntitySchema } from 'typeorm';
import type { SkippedRangeReason, SuspensionKind } from '../../core/execution/execution-state.js';
import type { BackfillOrder } from '../../core/ports/backfill-store.js';
import type { OverlapPolicy } from '../../core/job/job-definition.js';
import { column, optional, primary } from './column.js';

/** A registered job. */
export class JobEntity {
  readonly name: string;
  readonly overlap: OverlapPolicy;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly deadlineMs: string;
  /** Milliseconds by final state. */
  readonly retention: Readonly<Record<string, number>>;
  /** When a worker last said that it handles the job. */
  readonly handledAt: Date | null;
  /** Since when none does; null = one does, or it is not known. */
  readonly unhandledSince: Date | null;
  readonly alert: Readonly<Record<string, unknown>>;
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
  readonly release: string | null;
  readonly renamedTo: string | null;
  readonly earlierNames: readonly string[];
}

/** The text of a schedule, in force from an instant on. */
export class ScheduleVersionEntity {
  readonly scheduleName: string;
  readonly version: number;
  readonly validFrom: Date;
  readonly expression: string;
  readonly timeZone: string;
  readonly shape: Readonly<Record<string, unknown>>;
  readonly carriedAt: Date | null;
  readonly zoneData: string | null;
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
  readonly actor: string | null;
}

/** A stretch in which a schedule stands still. */
export class SuspensionEntity {
  readonly id: string;
  readonly jobName: string;
  readonly kind: SuspensionKind;
  readonly fromAt: Date;
  readonly toAt: Date | null;
  readonly catchUp: boolean;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly endedBy: string | null;
  readonly endReason: string | null;
}

/** A range of the past that somebody asked for. */
export class BackfillEntity {
  readonly id: string;
  readonly jobName: string;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly direction: BackfillOrder;
  readonly occurrences: number;
  readonly inserted: number;
  readonly existing: number;
  readonly pruned: number;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly canceledAt: Date | null;
  readonly canceledBy: string | null;
  readonly cancelReason: string | null;
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
      leaseMs: column('int', 'lease_ms'),
      deadlineMs: column('bigint', 'deadline_ms'),
      retention: column('jsonb', 'retention'),
      handledAt: optional('timestamptz', 'handled_at'),
      unhandledSince: optional('timestamptz', 'unhandled_since'),
      alert: column('jsonb', 'alert'),
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
      release: optional('bigint', 'release'),
      renamedTo: optional('text', 'renamed_to'),
      earlierNames: column('text', 'earlier_names', { array: true }),
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
      carriedAt: optional('timestamptz', 'carried_at'),
      zoneData: optional('text', 'zone_data'),
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
      actor: optional('text', 'actor'),
    },
  });

const suspensions = (schema: string) =>
  new EntitySchema<SuspensionEntity>({
    name: 'ScheduledJobsSuspension',
    target: SuspensionEntity,
    schema,
    tableName: 'suspensions',
    synchronize: false,
    columns: {
      id: primary('bigint', 'id'),
      jobName: column('text', 'job_name'),
      kind: column('text', 'kind'),
      fromAt: column('timestamptz', 'from_at'),
      toAt: optional('timestamptz', 'to_at'),
      catchUp: column('boolean', 'catch_up'),
      actor: optional('text', 'actor'),
      reason: optional('text', 'reason'),
      endedBy: optional('text', 'ended_by'),
      endReason: optional('text', 'end_reason'),
    },
  });

const backfills = (schema: string) =>
  new EntitySchema<BackfillEntity>({
    name: 'ScheduledJobsBackfill',
    target: BackfillEntity,
    schema,
    tableName: 'backfills',
    synchronize: false,
    columns: {
      id: primary('bigint', 'id'),
      jobName: column('text', 'job_name'),
      fromAt: column('timestamptz', 'from_at'),
      toAt: column('timestamptz', 'to_at'),
      direction: column('text', 'direction'),
      occurrences: column('int', 'occurrences'),
      inserted: column('int', 'inserted'),
      existing: column('int', 'existing'),
      pruned: column('int', 'pruned'),
      actor: optional('text', 'actor'),
      reason: optional('text', 'reason'),
      createdAt: column('timestamptz', 'created_at'),
      canceledAt: optional('timestamptz', 'canceled_at'),
      canceledBy: optional('text', 'canceled_by'),
      cancelReason: optional('text', 'cancel_reason'),
    },
  });

/** The read models of jobs and schedules in a schema. */
export const scheduleEntities = (schema: string): readonly EntitySchema[] => [
  jobs(schema),
  schedules(schema),
  scheduleVersions(schema),
  skippedRanges(schema),
  suspensions(schema),
  backfills(schema),
];
