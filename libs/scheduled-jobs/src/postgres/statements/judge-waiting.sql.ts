import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { groupCapacity } from './group-capacity.js';

export interface JudgedRow {
  readonly job_name: string;
  /** How many of the job ended, skipped. */
  readonly count: number;
}

/**
 * Ends waiting work that the overlap policy of its job leaves out: under `skip` what finds no room, under `queue-latest` and
 * `replace` what is not the newest of its job in its group. Where room opens for one of several, the newest has it. What
 * holds a slot fills its group, also while it waits for its next attempt.
 *
 * Fenced: no, waiting work has no lease.
 * Locks: the admission lock must be held; work rows, newest first in each group, skip locked; then new rows of outcomes.
 * Waits for nothing.
 * Index: work_elective, work_group, work_slot, work_pk. What is recorded was read under the locks, so the ids alone reach the delete.
 * Params: $1 concurrency keys, $2 how many end at most, $3 now.
 */
export const judgeWaitingSql = (names: LedgerNames): string => `
with contest as materialized (
  select w.concurrency_key, w.job_name, j.overlap
  from ${names.table.work} w
  join ${names.table.jobs} j on j.name = w.job_name
  where w.phase = 'waiting'
    and w.elective
    and w.concurrency_key = any ($1::text[])
    and j.overlap in ('skip', 'queue-latest', 'replace')
  group by w.concurrency_key, w.job_name, j.overlap
),
lost as materialized (
  select
    loser.*,
    contest.job_name,
    case contest.overlap when 'skip' then 'overlap' else 'superseded' end as reason,
    coalesce(case contest.overlap when 'skip' then held.first_id end, newest.execution_id) as blocked_by
  from contest
  cross join lateral (
    select count(*)::int as slots, (array_agg(h.execution_id order by h.slot))[1] as first_id
    from ${names.table.work} h
    where h.concurrency_key = contest.concurrency_key and h.slot is not null
  ) held
  cross join lateral (
    select w.execution_id
    from ${names.table.work} w
    where w.phase = 'waiting'
      and w.elective
      and w.concurrency_key = contest.concurrency_key
      and w.job_name = contest.job_name
    order by w.run_at desc, w.execution_id desc
    limit 1
  ) newest
  cross join lateral (
    select
      w.execution_id, w.attempt, w.lost_leases, w.lease_token, w.first_started_at, w.processed, w.failed, w.skipped
    from ${names.table.work} w
    where w.phase = 'waiting'
      and w.elective
      and w.concurrency_key = contest.concurrency_key
      and w.job_name = contest.job_name
    order by w.run_at desc, w.execution_id desc
    offset
      case contest.overlap
        when 'skip' then greatest(${groupCapacity(names, 'contest.concurrency_key')} - held.slots, 0)
        else 1
      end
    limit $2::int
    for update skip locked
  ) loser
  limit $2::int
),
dropped as (
  delete from ${names.table.work} where execution_id = any (array(select execution_id from lost))
),
recorded as (
  insert into ${names.table.outcomes} (
    execution_id, state, reason, blocked_by, attempts, lost_leases, lease_token, first_started_at, finished_at,
    processed, failed, skipped)
  select
    execution_id, 'skipped', reason, blocked_by, attempt, lost_leases, lease_token, first_started_at, ${boundNow(3)},
    processed, failed, skipped
  from lost
)
select job_name, count(*)::int as count from lost group by job_name`;
