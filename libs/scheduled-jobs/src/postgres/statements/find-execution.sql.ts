import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { executionColumns, joinLastAttempt, type ExecutionRow } from './execution-list.js';
import { joinFirstCancel, type FirstCancelRow } from './first-cancel.js';
import { keyHash } from './key-hash.js';

export interface ExecutionDetailRow extends ExecutionRow, FirstCancelRow {
  readonly interval_start: Date | null;
  readonly interval_end: Date | null;
  readonly payload: unknown;
  readonly result: unknown;
  readonly result_note: string | null;
  readonly runbook: string | null;
  readonly concurrency_key: string | null;
  readonly max_attempts: number;
  readonly lease_token: string;
  readonly lease_until: Date | null;
  readonly deadline_at: Date | null;
  readonly cancel_requested_at: Date | null;
  readonly error_fingerprint: string | null;
  readonly last_error_message: string | null;
  readonly last_error_stack: string | null;
  readonly blocked_by: string | null;
  readonly blocked_by_key: string | null;
  readonly backfill_id: string | null;
  readonly acknowledged_at: Date | null;
  readonly acknowledged_by: string | null;
}

/** The execution with an id, or else the one that used a key. */
export const executionByIdOrKey = ({ table }: LedgerNames): string => `coalesce($1::bigint, (
  select k.execution_id from ${table.keys} k where k.key_hash = ${keyHash('$2::text')}))`;

/**
 * Reads everything about one execution, with the error of its last attempt.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: keys_pk, executions_pk, work_pk, outcomes_pk, attempts_pk, audit_execution, jobs_pk.
 * Params: $1 id (null = by key), $2 key, $3 now.
 */
export const findExecutionSql = (names: LedgerNames): string => `
select ${executionColumns(boundNow(3))},
  (select j.alert ->> 'runbook' from ${names.table.jobs} j where j.name = e.job_name) as runbook,
  e.interval_start, e.interval_end, e.payload, o.result, o.result_note, e.concurrency_key,
  coalesce(w.max_attempts, e.max_attempts) as max_attempts,
  coalesce(o.lease_token, w.lease_token)::text as lease_token,
  w.lease_until, w.deadline_at, w.cancel_requested_at, o.error_fingerprint,
  blocker.id::text as blocked_by, (select b.key from ${names.table.executions} b where b.id = blocker.id) as blocked_by_key,
  a.error_message as last_error_message, a.error_stack as last_error_stack,
  e.backfill_id::text as backfill_id,
  o.acknowledged_at, o.acknowledged_by,
  first_cancel.at as canceled_by_at, first_cancel.actor as canceled_by, first_cancel.reason as cancel_reason
from ${names.table.executions} e
left join ${names.table.work} w on w.execution_id = e.id
left join ${names.table.outcomes} o on o.execution_id = e.id${joinLastAttempt(names)}${joinFirstCancel(names)}
cross join lateral (select coalesce(o.blocked_by, first_cancel.replaced_by) as id) blocker
where e.id = ${executionByIdOrKey(names)}`;
