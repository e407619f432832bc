import type { ExecutionState, Trigger } from '../../core/execution/execution-state.js';
import type { ErrorKind } from '../../core/execution/judgement.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface ExecutionRow {
  readonly id: string;
  readonly key: string;
  readonly job_name: string;
  readonly period: string | null;
  readonly state: ExecutionState;
  readonly reason: string | null;
  readonly queue: string;
  readonly priority: number;
  readonly trigger: Trigger;
  readonly actor: string | null;
  readonly scheduled_for: Date;
  readonly created_at: Date;
  readonly run_at: Date | null;
  readonly first_started_at: Date | null;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly duration_ms: number | null;
  readonly attempts: number;
  readonly lost_leases: number;
  readonly worker_id: string | null;
  readonly stage: string | null;
  readonly percent: number | null;
  readonly processed: string | null;
  readonly failed: string | null;
  readonly skipped: string | null;
  readonly error_class: string | null;
  readonly error_code: string | null;
  readonly error_kind: ErrorKind | null;
}

/** How long the last attempt of an execution took, or has taken. */
export const durationMs = (now: string): string =>
  `(extract(epoch from coalesce(o.finished_at, ${now}) - coalesce(o.started_at, w.started_at)) * 1000)::float8`;

/** The state of an execution with its work `w` or outcome `o`. */
export const EXECUTION_STATE = `
  case
    when o.state is not null then o.state
    when w.phase = 'leased' then 'running'
    when w.retrying then 'retrying'
    else 'pending'
  end`;

/** What is shown of an execution `e` with its work `w` or outcome `o` and its last attempt `a`. */
export const executionColumns = (now: string): string => `
  e.id::text as id, e.key, e.job_name, e.period, ${EXECUTION_STATE} as state,
  o.reason, e.queue, e.priority, e.trigger, e.actor, e.scheduled_for, e.created_at, w.run_at,
  coalesce(o.first_started_at, w.first_started_at, w.started_at) as first_started_at,
  coalesce(o.started_at, w.started_at) as started_at, o.finished_at,
  ${durationMs(now)} as duration_ms,
  coalesce(o.attempts, w.attempt - case when w.phase = 'leased' and w.started_at is null then 1 else 0 end) as attempts,
  coalesce(o.lost_leases, w.lost_leases) as lost_leases, coalesce(w.worker_id, a.worker_id) as worker_id, w.stage, w.percent,
  coalesce(o.processed, w.processed) as processed, coalesce(o.failed, w.failed) as failed,
  coalesce(o.skipped, w.skipped) as skipped,
  coalesce(o.error_class, a.error_class) as error_class, coalesce(o.error_code, a.error_code) as error_code,
  coalesce(o.error_kind, a.error_kind) as error_kind`;

/** Joins the last attempt `a` of an execution `e`. */
export const joinLastAttempt = ({ table }: LedgerNames): string => `
left join lateral (
  select worker_id, finished_at, outcome, error_class, error_code, error_kind, error_message, error_stack
  from ${table.attempts}
  where execution_id = e.id
  order by lease_token desc
  limit 1
) a on true`;

/** Where a list starts and what makes it different from the others. */
export interface ExecutionList {
  /** Joins `e`, `w` and `o`, beginning with the table that finds the fewest rows. */
  readonly from: string;
  readonly where: string;
  readonly orderBy: string;
}

/**
 * A page of executions: newest first, with the filters that all lists share. A filter that is null disappears when the
 * statement is planned, because it is planned for the values at hand.
 * Params: $1 job, $2 queue, $3 worker, $4 trigger, $5 period, $6 from, $7 to, $8 shortest ms, $9 longest ms, $10 fewest
 * attempts, $11 behind this id, $12 limit, $13 now, $14 fingerprint; the list's own from $15 on.
 */
export const executionListSql = (names: LedgerNames, { from, where, orderBy }: ExecutionList): string => `
select ${executionColumns(boundNow(13))}
from ${from}${joinLastAttempt(names)}
where ${where}
  and ($1::text is null or e.job_name = $1)
  and ($2::text is null or e.queue = $2)
  and ($3::text is null or w.worker_id = $3 or exists (
    select 1 from ${names.table.attempts} tried where tried.execution_id = e.id and tried.worker_id = $3))
  and ($4::text is null or e.trigger = $4)
  and ($5::text is null or e.period = $5)
  and ($6::timestamptz is null or e.scheduled_for >= $6)
  and ($7::timestamptz is null or e.scheduled_for < $7)
  and ($8::float8 is null or ${durationMs(boundNow(13))} >= $8)
  and ($9::float8 is null or ${durationMs(boundNow(13))} <= $9)
  and ($10::int is null or coalesce(o.attempts, w.attempt) >= $10)
  and ($14::text is null or o.error_fingerprint = $14)
order by ${orderBy}
limit $12::int`;
