import type { LedgerNames } from '../ledger-names.js';

/**
 * Takes back the slots of a paused job's work that has never started, so that other jobs with the same concurrency key go on,
 * and tells workers. What has started keeps its slot until it ends, also after a call that gave its number back.
 *
 * Fenced: no, ready work has no lease.
 * Locks: the admission lock must be held; work rows, skip locked: what is being claimed at this moment runs.
 * Index: work_group, work_pk.
 * Params: $1 job, $2 channel to send a hint on.
 */
export const giveBackSlotsSql = ({ table }: LedgerNames): string => `
with admitted as materialized (
  select execution_id
  from ${table.work}
  where job_name = $1 and phase = 'ready' and slot is not null and attempt = 0 and first_started_at is null
  order by execution_id
  for update skip locked
),
given_back as (
  update ${table.work} w
  set phase = 'waiting', slot = null
  where w.execution_id = any (array(select execution_id from admitted))
  returning w.execution_id
)
select pg_notify($2, '')::text as hint
from given_back
limit 1`;
