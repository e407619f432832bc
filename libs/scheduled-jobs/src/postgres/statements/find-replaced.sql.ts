import type { LedgerNames } from '../ledger-names.js';
import { groupCapacity } from './group-capacity.js';
import { idleJobs } from './idle-jobs.js';

export interface ReplacedRow {
  readonly id: string;
  /** The one that waits for its place. */
  readonly replaced_by: string;
}

/**
 * Finds what has to stop for waiting work of jobs with `overlap: 'replace'`: where their group has no room, the oldest
 * execution of the same job, one at a time. Backfilled and replayed executions are not replaced, nor do idle jobs replace
 * anything.
 *
 * Fenced: no, it only reads; whoever stops them locks them.
 * Locks: none; the admission lock must be held.
 * Index: work_elective, work_group, work_slot, suspensions_open.
 * Params: $1 concurrency keys, $2 how many at most.
 */
export const findReplacedSql = (names: LedgerNames): string => `
select holder.execution_id::text as id, newcomer.newest_id::text as replaced_by
from (
  select
    w.concurrency_key, w.job_name, (array_agg(w.execution_id order by w.run_at desc, w.execution_id desc))[1] as newest_id
  from ${names.table.work} w
  join ${names.table.jobs} j on j.name = w.job_name
  where w.phase = 'waiting'
    and w.elective
    and w.concurrency_key = any ($1::text[])
    and j.overlap = 'replace'
    and w.job_name <> all (array${idleJobs(names)})
  group by w.concurrency_key, w.job_name
) newcomer
cross join lateral (
  select count(*) as slots, count(*) filter (where h.cancel_requested_at is not null) as stopping
  from ${names.table.work} h
  where h.concurrency_key = newcomer.concurrency_key and h.slot is not null
) held
cross join lateral (
  select h.execution_id
  from ${names.table.work} h
  where h.concurrency_key = newcomer.concurrency_key
    and h.job_name = newcomer.job_name
    and h.slot is not null
    and h.elective
    and h.cancel_requested_at is null
  order by h.run_at, h.execution_id
  limit 1
) holder
where held.stopping = 0 and held.slots >= ${groupCapacity(names, 'newcomer.concurrency_key')}
limit $2::int`;
