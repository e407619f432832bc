import type { LedgerNames } from '../ledger-names.js';

/**
 * Records a finished step: no row = the lease is lost. Insert only: a name that is recorded already is an error.
 *
 * Fenced: id, token and leased. By itself it locks the work row, so that the lease cannot change hands before its commit:
 * the next holder must see the step. Inside a run's transaction the fence or the completion comes after it, and a lock held
 * until then would keep away rescue and cancel.
 * Locks: by itself the work row, for key share: it waits for short statements only, heartbeats pass, rescue skips the row.
 * Index: work_pk, steps_pk.
 * Params: $1 id, $2 token, $3 step name, $4 start, $5 end, $6 result as JSON.
 */
export const recordStepSql = ({ table }: LedgerNames, fence: 'here' | 'follows'): string => `
with held as (
  select execution_id, lease_token
  from ${table.work}
  where execution_id = $1::bigint and lease_token = $2::bigint and lease_until is not null
  ${fence === 'here' ? 'for key share' : ''}
)
insert into ${table.steps} (execution_id, step_name, lease_token, started_at, finished_at, result)
select execution_id, $3::text, lease_token, $4::timestamptz, $5::timestamptz, $6::json
from held
returning step_name`;
