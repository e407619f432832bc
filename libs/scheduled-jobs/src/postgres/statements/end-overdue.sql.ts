import type { FinalState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { givenIds, isLeased } from './work-lookup.js';

export interface OverdueRow {
  readonly job_name: string;
  readonly state: FinalState;
}

/**
 * Ends claimed work whose deadline had passed when it was claimed: skipped when it never started, else failed; canceled if
 * somebody asked for that meanwhile. The claim does not count and makes no attempt.
 *
 * Fenced: id, token and leased.
 * Locks: work rows; waits for them, which only short statements hold. Then new rows of outcomes.
 * Index: work_pk.
 * Params: $1 ids, $2 tokens, $3 now.
 */
export const endOverdueSql = ({ table }: LedgerNames): string => `
with closed as (
  delete from ${table.work} w
  using unnest($1::bigint[], $2::bigint[]) as g(id, token)
  where w.execution_id = any (${givenIds(1)})
    and w.execution_id = g.id
    and w.lease_token = g.token
    and ${isLeased('w')}
  returning
    g.id, g.token, w.job_name, w.attempt - 1 as attempts, w.lost_leases, w.first_started_at, w.processed, w.failed, w.skipped,
    w.cancel_requested_at is not null as is_canceled
),
judged as (
  select
    closed.*,
    case when is_canceled then 'canceled' when first_started_at is null then 'skipped' else 'failed' end as state
  from closed
),
ended as (
  insert into ${table.outcomes} (
    execution_id, state, reason, attempts, lost_leases, lease_token, first_started_at, finished_at, processed, failed, skipped)
  select
    id, state, case when not is_canceled then 'deadline' end, attempts, lost_leases, token, first_started_at, ${boundNow(3)},
    processed, failed, skipped
  from judged
)
select job_name, state from judged`;
