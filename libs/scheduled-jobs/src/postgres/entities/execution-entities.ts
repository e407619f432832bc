import { EntitySchema } from 'typeorm';
import type { AttemptOutcome, FinalState, Trigger } from '../../core/execution/execution-state.js';
import type { ErrorKind } from '../../core/execution/judgement.js';
import { column, optional, primary } from './column.js';

/** What was asked for: one row per execution. */
export class ExecutionEntity {
  readonly id: string;
  readonly key: string;
  readonly jobName: string;
  readonly period: string | null;
  readonly intervalStart: Date | null;
  readonly intervalEnd: Date | null;
  readonly scheduledFor: Date;
  readonly queue: string;
  readonly priority: number;
  readonly maxAttempts: number;
  readonly concurrencyKey: string | null;
  readonly payload: unknown;
  readonly trigger: Trigger;
  readonly actor: string | null;
  readonly createdAt: Date;
}

/** How an execution ended. */
export class OutcomeEntity {
  readonly executionId: string;
  readonly state: FinalState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly lostLeases: number;
  readonly leaseToken: string;
  readonly firstStartedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date;
  readonly processed: string | null;
  readonly failed: string | null;
  readonly skipped: string | null;
  readonly result: unknown;
  readonly resultNote: string | null;
  readonly errorClass: string | null;
  readonly errorCode: string | null;
  readonly errorKind: ErrorKind | null;
  readonly errorFingerprint: string | null;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  /** The execution that was in the way of one skipped by `overlap`. */
  readonly blockedBy: string | null;
}

/** What is to do or being done: there while an execution has not ended. */
export class WorkEntity {
  readonly executionId: string;
  readonly jobName: string;
  readonly queue: string;
  readonly priority: number;
  readonly runAt: Date;
  readonly phase: 'delayed' | 'waiting' | 'ready' | 'leased' | 'held';
  readonly retrying: boolean;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly leaseMs: number;
  readonly leaseToken: string;
  readonly leaseUntil: Date | null;
  readonly workerId: string | null;
  readonly startedAt: Date | null;
  readonly firstStartedAt: Date | null;
  readonly lostLeases: number;
  readonly concurrencyKey: string | null;
  readonly slot: number | null;
  /** The overlap policy of its job may drop it while it waits. */
  readonly elective: boolean;
  readonly deadlineAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly stage: string | null;
  readonly percent: number | null;
}

/** One call of a handler. */
export class AttemptEntity {
  readonly executionId: string;
  readonly leaseToken: string;
  readonly attempt: number;
  readonly workerId: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly outcome: AttemptOutcome;
  readonly errorClass: string | null;
  readonly errorCode: string | null;
  readonly errorKind: ErrorKind | null;
  readonly errorMessage: string | null;
  readonly errorStack: string | null;
  readonly processed: string | null;
  readonly failed: string | null;
  readonly skipped: string | null;
}

const counts = {
  processed: optional('bigint', 'processed'),
  failed: optional('bigint', 'failed'),
  skipped: optional('bigint', 'skipped'),
};

const executions = (schema: string) =>
  new EntitySchema<ExecutionEntity>({
    name: 'ScheduledJobsExecution',
    target: ExecutionEntity,
    schema,
    tableName: 'executions',
    synchronize: false,
    columns: {
      id: primary('bigint', 'id'),
      key: column('text', 'key'),
      jobName: column('text', 'job_name'),
      period: optional('text', 'period'),
      intervalStart: optional('timestamptz', 'interval_start'),
      intervalEnd: optional('timestamptz', 'interval_end'),
      scheduledFor: column('timestamptz', 'scheduled_for'),
      queue: column('text', 'queue'),
      priority: column('smallint', 'priority'),
      maxAttempts: column('int', 'max_attempts'),
      concurrencyKey: optional('text', 'concurrency_key'),
      payload: optional('jsonb', 'payload'),
      trigger: column('text', 'trigger'),
      actor: optional('text', 'actor'),
      createdAt: column('timestamptz', 'created_at'),
    },
  });

const outcomes = (schema: string) =>
  new EntitySchema<OutcomeEntity>({
    name: 'ScheduledJobsOutcome',
    target: OutcomeEntity,
    schema,
    tableName: 'outcomes',
    synchronize: false,
    columns: {
      executionId: primary('bigint', 'execution_id'),
      state: column('text', 'state'),
      reason: optional('text', 'reason'),
      attempts: column('int', 'attempts'),
      lostLeases: column('int', 'lost_leases'),
      leaseToken: column('bigint', 'lease_token'),
      firstStartedAt: optional('timestamptz', 'first_started_at'),
      startedAt: optional('timestamptz', 'started_at'),
      finishedAt: column('timestamptz', 'finished_at'),
      ...counts,
      result: optional('jsonb', 'result'),
      resultNote: optional('text', 'result_note'),
      errorClass: optional('text', 'error_class'),
      errorCode: optional('text', 'error_code'),
      errorKind: optional('text', 'error_kind'),
      errorFingerprint: optional('text', 'error_fingerprint'),
      acknowledgedAt: optional('timestamptz', 'acknowledged_at'),
      acknowledgedBy: optional('text', 'acknowledged_by'),
      blockedBy: optional('bigint', 'blocked_by'),
    },
  });

const work = (schema: string) =>
  new EntitySchema<WorkEntity>({
    name: 'ScheduledJobsWork',
    target: WorkEntity,
    schema,
    tableName: 'work',
    synchronize: false,
    columns: {
      executionId: primary('bigint', 'execution_id'),
      jobName: column('text', 'job_name'),
      queue: column('text', 'queue'),
      priority: column('smallint', 'priority'),
      runAt: column('timestamptz', 'run_at'),
      phase: column('text', 'phase'),
      retrying: column('boolean', 'retrying'),
      attempt: column('int', 'attempt'),
      maxAttempts: column('int', 'max_attempts'),
      leaseMs: column('int', 'lease_ms'),
      leaseToken: column('bigint', 'lease_token'),
      leaseUntil: optional('timestamptz', 'lease_until'),
      workerId: optional('text', 'worker_id'),
      startedAt: optional('timestamptz', 'started_at'),
      firstStartedAt: optional('timestamptz', 'first_started_at'),
      lostLeases: column('int', 'lost_leases'),
      concurrencyKey: optional('text', 'concurrency_key'),
      slot: optional('smallint', 'slot'),
      elective: column('boolean', 'elective'),
      deadlineAt: optional('timestamptz', 'deadline_at'),
      cancelRequestedAt: optional('timestamptz', 'cancel_requested_at'),
      stage: optional('text', 'stage'),
      percent: optional('real', 'percent'),
    },
  });

const attempts = (schema: string) =>
  new EntitySchema<AttemptEntity>({
    name: 'ScheduledJobsAttempt',
    target: AttemptEntity,
    schema,
    tableName: 'attempts',
    synchronize: false,
    columns: {
      executionId: primary('bigint', 'execution_id'),
      leaseToken: primary('bigint', 'lease_token'),
      attempt: column('int', 'attempt'),
      workerId: optional('text', 'worker_id'),
      startedAt: column('timestamptz', 'started_at'),
      finishedAt: column('timestamptz', 'finished_at'),
      outcome: column('text', 'outcome'),
      errorClass: optional('text', 'error_class'),
      errorCode: optional('text', 'error_code'),
      errorKind: optional('text', 'error_kind'),
      errorMessage: optional('text', 'error_message'),
      errorStack: optional('text', 'error_stack'),
      ...counts,
    },
  });

/** The read models of executions in a schema. */
export const executionEntities = (schema: string): readonly EntitySchema[] => [
  executions(schema),
  outcomes(schema),
  work(schema),
  attempts(schema),
];
