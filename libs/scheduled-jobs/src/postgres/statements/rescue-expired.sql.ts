import type { FinalState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/** An execution that loses this many leases in a row, without committing a checkpoint or a step in between, fails. */
export const MAX_LOSSES_IN_ROW = 3;

export interface RescuedRow {
  readonly id: string;
  readonly job_name: string;
  readonly ending: FinalState | null;
  readonly worker_id: string | null;
  readonly freed_key: string | null;
}

const NOW = boundNow(1);

/**
 * Takes work over whose lease ran out. Started work is recorded as a lost attempt and runs again at once, or ends: canceled
 * when that was asked, failed when its attempts are used up or too many leases in a row were lost. Work that never started
 * is handed back as if it had not been claimed.
 *
 * Fenced: by its row lock and the expired lease; the old token matches nothing afterwards.
 * Locks: work rows by id, skip locked; never waits. A run's transaction that has reached its fence keeps its row.
 * Index: work_leased, work_pk, checkpoints_pk, steps_pk.
 * Params: $1 now, $2 limit, $3 losses in a row that end it.
 */
export const rescueExpiredSql = ({ table }: LedgerNames): string => `
with expired as materialized (
  select
    w.execution_id, w.job_name, w.lease_token, w.attempt, w.max_attempts, w.worker_id, w.started_at, w.first_started_at, w.lost_leases,
    w.losses_in_row, w.cancel_requested_at, w.concurrency_key, w.processed, w.failed, w.skipped,
    w.processed_before, w.failed_before, w.skipped_before
  from ${table.work} w
  where w.phase = 'leased' and w.lease_until < ${NOW}
  order by w.execution_id
  limit $2
  for update skip locked
),
judged as materialized (
  select
    x.execution_id, x.job_name, x.lease_token, x.attempt, x.worker_id, x.started_at, x.concurrency_key,
    x.processed, x.failed, x.skipped,
    nullif(x.processed - coalesce(x.processed_before, 0), 0) as processed_now,
    nullif(x.failed - coalesce(x.failed_before, 0), 0) as failed_now,
    nullif(x.skipped - coalesce(x.skipped_before, 0), 0) as skipped_now,
    coalesce(x.first_started_at, x.started_at) as first_started_at,
    x.lost_leases + lost.n as lost_leases,
    x.attempt - 1 + lost.n as attempts,
    lost.in_row as losses_in_row,
    case
      when x.cancel_requested_at is not null then 'canceled'
      when lost.n = 1 and (lost.in_row >= $3::int or x.attempt >= x.max_attempts) then 'failed'
    end as ending
  from expired x
  cross join lateral (
    select
      case when x.started_at is null then 0 else 1 end as n,
      case
        when x.started_at is null then x.losses_in_row
        when exists (
          select 1 from ${table.checkpoints} c
          where c.execution_id = x.execution_id and c.lease_token = x.lease_token
          union all
          select 1 from ${table.steps} s
          where s.execution_id = x.execution_id and s.lease_token = x.lease_token
        ) then 1
        else x.losses_in_row + 1
      end as in_row
  ) lost
),
back as (
  update ${table.work} w
  set
    phase = 'ready', retrying = w.retrying or j.started_at is not null, attempt = j.attempts, lost_leases = j.lost_leases, losses_in_row = j.losses_in_row,
    lease_until = null, worker_id = null, started_at = null, stage = null, percent = null,
    first_started_at = j.first_started_at
  from judged j
  where j.ending is null and w.execution_id = j.execution_id
),
closed as (
  delete from ${table.work} w
  using judged j
  where j.ending is not null and w.execution_id = j.execution_id
),
tried as (
  insert into ${table.attempts} (
    execution_id, lease_token, attempt, worker_id, started_at, finished_at, outcome, processed, failed, skipped)
  select execution_id, lease_token, attempt, worker_id, started_at, ${NOW}, 'lost', processed_now, failed_now, skipped_now
  from judged
  where started_at is not null
),
ended as (
  insert into ${table.outcomes} (
    execution_id, state, attempts, lost_leases, lease_token, first_started_at, started_at, finished_at,
    processed, failed, skipped, error_code)
  select
    execution_id, ending, attempts, lost_leases, lease_token, first_started_at, started_at, ${NOW},
    processed, failed, skipped, case when ending = 'failed' then 'JOBS_WORKER_LOST' end
  from judged
  where ending is not null
)
select
  execution_id::text as id, job_name, ending, worker_id, case when ending is not null then concurrency_key end as freed_key
from judged
order by execution_id`;
