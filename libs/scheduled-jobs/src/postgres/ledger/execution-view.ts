import type { Counts } from '../../core/execution/counts.js';
import { redactFields } from '../../core/execution/redaction.js';
import type {
  AttemptDetail,
  ExecutionDetail,
  ExecutionSummary,
  ItemFailure,
  LogEntry,
  RecordedError,
  StepDetail,
} from '../../core/ports/ledger-reader.js';
import type { ExecutionRow } from '../statements/execution-list.js';
import type { AttemptRow } from '../statements/find-attempts.sql.js';
import type { ExecutionDetailRow } from '../statements/find-execution.sql.js';
import type { FirstCancelRow } from '../statements/first-cancel.js';
import type { ItemRow } from '../statements/find-items.sql.js';
import type { LogRow } from '../statements/find-logs.sql.js';
import type { StepRow } from '../statements/find-finished-steps.sql.js';

/** An execution as lists show it. */
export function executionSummary(row: ExecutionRow): ExecutionSummary {
  return {
    executionId: row.id,
    key: row.key,
    jobName: row.job_name,
    period: row.period,
    state: row.state,
    reason: row.reason,
    queue: row.queue,
    priority: row.priority,
    trigger: row.trigger,
    actor: row.actor,
    scheduledFor: row.scheduled_for,
    createdAt: row.created_at,
    runAt: row.run_at,
    firstStartedAt: row.first_started_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    startDelayMs: row.first_started_at === null ? null : betweenMs(row.scheduled_for, row.first_started_at),
    durationMs: row.duration_ms === null ? null : Math.max(0, Math.round(row.duration_ms)),
    attempts: row.attempts,
    lostLeases: row.lost_leases,
    workerId: row.worker_id,
    stage: row.stage,
    percent: row.percent,
    counts: counts(row),
    errorClass: row.error_class,
    errorCode: row.error_code,
    errorKind: row.error_kind,
  };
}

/** An execution with everything but its lists. */
export function executionDetail(row: ExecutionDetailRow): ExecutionDetail {
  const { interval_start: start, interval_end: end } = row;
  return {
    ...executionSummary(row),
    interval: start === null || end === null ? null : { start, end },
    payload: row.payload,
    result: row.result,
    resultNote: row.result_note,
    error: recordedError(row),
    runbook: row.runbook,
    concurrencyKey: row.concurrency_key,
    maxAttempts: row.max_attempts,
    leaseToken: row.lease_token === '0' ? null : row.lease_token,
    leaseUntil: row.lease_until,
    deadlineAt: row.deadline_at,
    cancelRequestedAt: row.cancel_requested_at,
    blockedBy: row.blocked_by,
    blockedByKey: row.blocked_by_key,
    backfillId: row.backfill_id,
    acknowledged: acknowledged(row),
    canceledBy: canceledBy(row),
  };
}

/** Who acknowledged a failure, as it is shown. */
export function acknowledged({
  acknowledged_at: at,
  acknowledged_by: actor,
}: Pick<ExecutionDetailRow, 'acknowledged_at' | 'acknowledged_by'>): ExecutionDetail['acknowledged'] {
  return at === null ? null : { at, actor };
}

/** Who canceled an execution, as it is shown. */
export function canceledBy({ canceled_by_at: at, canceled_by: actor, cancel_reason: reason }: FirstCancelRow) {
  return at === null ? null : { at, actor, reason };
}

/** One call of the handler. */
export function attemptDetail(row: AttemptRow): AttemptDetail {
  const { error_class: errorClass, error_code: code, error_message: message, error_stack: stack } = row;
  return {
    leaseToken: row.lease_token,
    attempt: row.attempt,
    workerId: row.worker_id,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    durationMs: betweenMs(row.started_at, row.finished_at),
    outcome: row.outcome,
    counts: counts(row),
    error: errorClass === null ? null : { errorClass, code, message, stack },
    errorKind: row.error_kind,
  };
}

/** A kept log line. */
export const logEntry = (row: LogRow): LogEntry => ({
  leaseToken: row.lease_token,
  lineNo: row.line_no,
  at: row.logged_at,
  level: row.level,
  message: row.message,
  fields: row.fields,
});

/** A finished step; its result as people may see it. */
export const stepDetail = (row: StepRow): StepDetail => ({
  stepName: row.step_name,
  leaseToken: row.lease_token,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  durationMs: betweenMs(row.started_at, row.finished_at),
  result: redactFields(row.result),
});

/** A failed item. */
export const itemFailure = (row: ItemRow): ItemFailure => ({
  itemsName: row.items_name,
  itemKey: row.item_key,
  leaseToken: row.lease_token,
  failedAt: row.failed_at,
  error: {
    errorClass: row.error_class,
    code: row.error_code,
    message: row.error_message,
    stack: row.error_stack,
    fingerprint: row.error_fingerprint,
  },
});

function recordedError(row: ExecutionDetailRow): RecordedError | null {
  const { error_class: errorClass, error_code: code } = row;
  if (errorClass === null && code === null) return null;
  const { last_error_message: message, last_error_stack: stack, error_fingerprint: fingerprint } = row;
  return { errorClass, code, message, stack, fingerprint };
}

const counts = (row: {
  readonly processed: string | null;
  readonly failed: string | null;
  readonly skipped: string | null;
}): Counts => ({
  processed: Number(row.processed ?? 0),
  failed: Number(row.failed ?? 0),
  skipped: Number(row.skipped ?? 0),
});

/** Clocks of two machines may disagree; a span is never negative. */
const betweenMs = (start: Date, end: Date): number => Math.max(0, end.getTime() - start.getTime());
