import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { givenIds } from './work-lookup.js';

export interface CanceledRow {
  readonly id: string;
  readonly job_name: string;
  /** `canceled` = it has ended; `asked` = it runs and is asked to stop; `running` = it runs and was left alone. */
  readonly done: 'canceled' | 'asked' | 'running';
  /** The concurrency key whose slot became free. */
  readonly freed_key: string | null;
}

/**
 * Cancels executions: what no worker holds ends at once; what runs is asked to stop, or left alone. A row that another
 * statement holds, or that has ended, is not in the answer: look at it again.
 *
 * Fenced: by the row lock; a worker's token matches nothing afterwards.
 * Locks: work rows by id, skip locked; then new rows of outcomes. Never waits.
 * Index: work_pk.
 * Params: $1 ids, $2 now, $3 whether running ones are asked to stop.
 */
export const cancelWorkSql = (names: LedgerNames): string => `${canceledWork(names)}
${CANCELED_ROWS}`;

/** Tells what was done. */
export const CANCELED_ROWS = `
select execution_id::text as id, job_name, 'canceled' as done, freed_key from ended
union all
select execution_id::text, job_name, case when $3::boolean then 'asked' else 'running' end, null from mine where runs`;

/** What it does, as `mine` and `ended`, for a statement that does more. Its parameters are the first three. */
export const canceledWork = ({ table }: LedgerNames): string => `
with mine as materialized (
  select w.execution_id, w.job_name, w.phase = 'leased' as runs
  from ${table.work} w
  where w.execution_id = any (${givenIds(1)})
  order by w.execution_id
  for update skip locked
),
ended as (
  delete from ${table.work} w
  where w.execution_id = any (array(select execution_id from mine where not runs))
  returning
    w.execution_id, w.job_name, w.attempt, w.lost_leases, w.lease_token, w.first_started_at, w.processed, w.failed, w.skipped,
    case when w.slot is not null then w.concurrency_key end as freed_key
),
asked as (
  update ${table.work} w
  set cancel_requested_at = coalesce(w.cancel_requested_at, ${boundNow(2)})
  where $3::boolean and w.execution_id = any (array(select execution_id from mine where runs))
),
recorded as (
  insert into ${table.outcomes} (
    execution_id, state, attempts, lost_leases, lease_token, first_started_at, finished_at, processed, failed, skipped)
  select
    execution_id, 'canceled', attempt, lost_leases, lease_token, first_started_at, ${boundNow(2)}, processed, failed, skipped
  from ended
)`;
