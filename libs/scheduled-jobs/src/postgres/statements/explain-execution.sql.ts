import type { FinalState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { executionByIdOrKey } from './find-execution.sql.js';

export interface ExplanationRow {
  readonly id: string;
  readonly key: string;
  readonly phase: 'delayed' | 'waiting' | 'ready' | 'leased' | null;
  readonly is_due: boolean | null;
  readonly run_at: Date | null;
  readonly retrying: boolean | null;
  readonly attempt: number | null;
  readonly max_attempts: number | null;
  readonly queue: string;
  readonly concurrency_key: string | null;
  readonly slot: number | null;
  readonly ahead: number | null;
  readonly held_by: readonly string[] | null;
  readonly worker_id: string | null;
  readonly started_at: Date | null;
  readonly lease_until: Date | null;
  readonly cancel_requested: boolean | null;
  readonly state: FinalState | null;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly finished_at: Date | null;
}

/**
 * Reads what decides when one execution runs: its work, who comes first in its queue, who holds the slots of its key.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: keys_pk, executions_pk, work_pk, work_ready, work_slot.
 * Params: $1 id (null = by key), $2 key, $3 now, $4 how many that come first are counted, $5 how many holders are named.
 */
export const explainExecutionSql = (names: LedgerNames): string => `
select
  e.id::text as id, e.key, w.phase, w.run_at <= ${boundNow(3)} as is_due, w.run_at, w.retrying, w.attempt, w.max_attempts,
  e.queue, e.concurrency_key, w.slot,
  case when w.phase in ('ready', 'delayed') then (
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
  w.worker_id, w.started_at, w.lease_until, w.cancel_requested_at is not null as cancel_requested,
  o.state, o.reason, o.error_code, o.finished_at
from ${names.table.executions} e
left join ${names.table.work} w on w.execution_id = e.id
left join ${names.table.outcomes} o on o.execution_id = e.id
where e.id = ${executionByIdOrKey(names)}`;
