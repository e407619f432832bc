import type { LedgerNames } from '../ledger-names.js';

/**
 * Brings held work of jobs that the caller handles, and that are not paused, back into its queues.
 *
 * Fenced: no, held work has no lease.
 * Locks: work rows by id within each job, skip locked; never waits.
 * Index: work_held, once per job; work_pk; suspensions_open.
 * Params: $1 jobs, $2 limit.
 */
export const bringBackHeldSql = ({ table }: LedgerNames): string => `
with back as materialized (
  select held.execution_id
  from unnest($1::text[]) as mine(job_name)
  cross join lateral (
    select h.execution_id
    from ${table.work} h
    where h.phase = 'held' and h.job_name = mine.job_name
    order by h.execution_id
    limit $2
    for update skip locked
  ) held
  where not exists (
    select 1 from ${table.suspensions} p where p.job_name = mine.job_name and p.kind = 'paused' and p.to_at is null
  )
  limit $2
)
update ${table.work} w
set phase = 'ready'
where w.execution_id = any (array(select execution_id from back))
returning w.execution_id::text as id`;
