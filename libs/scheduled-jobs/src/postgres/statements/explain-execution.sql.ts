import type { AttemptOutcome, FinalState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { joinLastAttempt } from './execution-list.js';
import { executionByIdOrKey } from './find-execution.sql.js';
import { joinFirstCancel, type FirstCancelRow } from './first-cancel.js';
import { queueRoom } from './queue-room.js';

export interface ExplanationRow extends FirstCancelRow, QueueRoomColumns {
  readonly id: string;
  readonly key: string;
  readonly phase: 'delayed' | 'waiting' | 'ready' | 'leased' | 'held' | null;
  readonly is_due: boolean | null;
  readonly run_at: Date | null;
  readonly retrying: boolean | null;
  readonly attempt: number | null;
  readonly max_attempts: number | null;
  readonly concurrency_key: string | null;
  readonly slot: number | null;
  readonly held_by: readonly string[] | null;
  readonly before_in_group: number | null;
  readonly unserved: boolean | null;
  readonly worker_id: string | null;
  readonly started_at: Date | null;
  readonly lease_until: Date | null;
  readonly cancel_requested: boolean | null;
  readonly state: FinalState | null;
  readonly reason: string | null;
  readonly finished_at: Date | null;
  readonly attempts: number | null;
  readonly failed_items: number | null;
  readonly last_outcome: AttemptOutcome | null;
  readonly error_class: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly blocked_by: string | null;
  readonly job_name: string;
  readonly unhandled_since: Date | null;
  readonly paused_at: Date | null;
  readonly pause_actor: string | null;
  readonly pause_reason: string | null;
  /** Of the backfill with which it was canceled. */
  readonly backfill_id: string | null;
  readonly backfill_canceled_by: string | null;
  readonly backfill_cancel_reason: string | null;
  readonly acknowledged_at: Date | null;
  readonly acknowledged_by: string | null;
}

/** What its queue lets through at present; all null for a queue without limits. */
export interface QueueRoomColumns {
  readonly queue: string;
  readonly ahead: number | null;
  readonly queue_paused_at: Date | null;
  readonly queue_paused_by: string | null;
  readonly queue_pause_reason: string | null;
  readonly queue_concurrency: number | null;
  readonly queue_running: number | null;
  readonly queue_is_open: boolean | null;
  readonly queue_room: number | null;
  readonly queue_opens_at: Date | null;
}

/** Work that nobody takes for so long, while nobody holds any of its kind, seems to have no worker. */
const UNSERVED_AFTER = `interval '30 seconds'`;
const NOW = boundNow(3);

/**
 * Reads what decides when one execution runs: its work, who comes first in its queue, who holds the slots of its key, whether
 * any worker seems to serve it, whether its job is handled or paused, what its queue lets through, what was in its way, and
 * who canceled or acknowledged it.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: keys_pk, executions_pk, work_pk, work_ready, work_slot, work_group, work_leased, attempts_pk, suspensions_open,
 * backfills_pk, jobs_pk, audit_execution, queues_pk.
 * Params: $1 id (null = by key), $2 key, $3 now, $4 how many that come first are counted, $5 how many holders are named.
 */
export const explainExecutionSql = (names: LedgerNames): string => `
select
  e.id::text as id, e.key, e.job_name, w.phase, w.run_at <= ${NOW} as is_due, w.run_at, w.retrying, w.attempt, w.max_attempts,
  e.queue, e.concurrency_key, w.slot,
  case when w.phase in ('ready', 'delayed', 'held') then (
    select count(*)
    from (
      select 1
      from ${names.table.work} x
      where x.phase = 'ready'
        and x.queue = w.queue
        and (x.priority, x.run_at, x.execution_id) < (w.priority, w.run_at, w.execution_id)
      limit $4::int
    ) first
  )::int end as ahead,
  case when w.concurrency_key is not null and w.slot is null then (
    select coalesce(json_agg(holder.key order by holder.slot), '[]')
    from (
      select held.key, x.slot
      from ${names.table.work} x
      join ${names.table.executions} held on held.id = x.execution_id
      where x.concurrency_key = w.concurrency_key and x.slot is not null
      order by x.slot
      limit $5::int
    ) holder
  ) end as held_by,
  case when w.concurrency_key is not null and w.slot is null then (
    select count(*)
    from (
      select 1
      from ${names.table.work} x
      where x.concurrency_key = w.concurrency_key
        and (x.slot is not null or (
          x.phase = 'waiting' and (x.priority, x.run_at, x.execution_id) < (w.priority, w.run_at, w.execution_id)))
      limit $4::int
    ) before
  )::int end as before_in_group,
  greatest(w.run_at, e.created_at, a.finished_at) < ${NOW} - ${UNSERVED_AFTER} and not exists (
    select 1
    from ${names.table.work} x
    where x.phase = 'leased'
      and x.lease_until >= ${NOW}
      and (x.queue = w.queue or x.concurrency_key = w.concurrency_key)
  ) as unserved,
  w.worker_id, w.started_at, w.lease_until, w.cancel_requested_at is not null as cancel_requested,
  o.state, o.reason, o.finished_at, o.attempts, o.failed::float8 as failed_items, a.outcome as last_outcome,
  coalesce(o.error_class, a.error_class) as error_class, coalesce(o.error_code, a.error_code) as error_code,
  (select blocker.key from ${names.table.executions} blocker 
    where blocker.id = coalesce(o.blocked_by, first_cancel.replaced_by)) as blocked_by,
  j.unhandled_since, a.error_message, p.from_at as paused_at, p.actor as pause_actor, p.reason as pause_reason,
  b.id::text as backfill_id, b.canceled_by as backfill_canceled_by, b.cancel_reason as backfill_cancel_reason,
  o.acknowledged_at, o.acknowledged_by,
  first_cancel.at as canceled_by_at, first_cancel.actor as canceled_by, first_cancel.reason as cancel_reason,
  q.paused_at as queue_paused_at, q.paused_by as queue_paused_by, q.pause_reason as queue_pause_reason,
  q.concurrency as queue_concurrency, space.running::int as queue_running,
  q.open_until > ${NOW} as queue_is_open, case when q.name is not null then space.room end as queue_room,
  ${NOW} + space.opens_in_ms * interval '1 millisecond' as queue_opens_at
from ${names.table.executions} e
left join ${names.table.work} w on w.execution_id = e.id
left join ${names.table.outcomes} o on o.execution_id = e.id${joinLastAttempt(names)}
left join ${names.table.jobs} j on j.name = e.job_name
left join ${names.table.suspensions} p on p.job_name = e.job_name and p.kind = 'paused' and p.to_at is null
left join ${names.table.backfills} b
  on b.id = e.backfill_id and o.state = 'canceled' and o.finished_at >= b.canceled_at${joinFirstCancel(names)}
left join ${names.table.queues} q on q.name = e.queue
cross join ${queueRoom(names, NOW)} space
where e.id = ${executionByIdOrKey(names)}`;
