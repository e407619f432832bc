import type { LedgerNames } from '../ledger-names.js';
import { groupCapacity } from './group-capacity.js';
import { idleJobs } from './idle-jobs.js';

export interface AdmittedRow {
  readonly admitted: number;
}

/**
 * Gives free slots of concurrency keys to waiting work, next by priority, run time and id. The capacity of a key is the
 * smallest `concurrency` among the jobs that wait or hold under it. Work of idle jobs gets none, so that it keeps none from
 * other jobs; nor does work that an overlap policy has not judged under this lock.
 *
 * Fenced: no, waiting work has no lease.
 * Locks: the admission lock must be held; work rows, skip locked; waits for nothing after that.
 * Index: work_waiting (pick), work_group (capacity), work_slot (slots in use; its uniqueness is the proof of the limit, the
 * lock only keeps the peace), suspensions_open. The unknown array of jobs sits in a case, so that no guess of the planner
 * turns the ordered scan of a long wait into a sort.
 * Params: $1 concurrency keys, $2 whether overlap policies have judged what waits.
 */
export const admitWaitingSql = (names: LedgerNames): string => `
with asked as (
  select distinct concurrency_key collate "C" as concurrency_key from unnest($1::text[]) as given(concurrency_key)
),
picked as (
  select next_up.execution_id, room.free[next_up.place] as slot
  from asked
  cross join lateral ${groupCapacity(names, 'asked.concurrency_key')} head
  cross join lateral (
    select
      array_agg(s order by s) filter (where not s = any (held.slots)) as free,
      cardinality(held.slots) as used
    from (
      select array(
        select slot::int from ${names.table.work} where concurrency_key = asked.concurrency_key and slot is not null
      ) as slots
    ) held
    cross join generate_series(1, head.capacity) s
    group by held.slots
  ) room
  cross join lateral (
    select ready.execution_id, row_number() over (order by ready.priority, ready.run_at, ready.execution_id) as place
    from (
      select w.execution_id, w.priority, w.run_at
      from ${names.table.work} w
      where w.phase = 'waiting'
        and w.concurrency_key = asked.concurrency_key
        and (not w.elective or $2::boolean)
        and case when w.job_name = any (array${idleJobs(names)}) then false else true end
      order by w.priority, w.run_at, w.execution_id
      limit head.capacity - room.used
      for update skip locked
    ) ready
  ) next_up
  where room.used < head.capacity
),
given as (
  update ${names.table.work} w
  set phase = 'ready', slot = p.slot
  from picked p
  where w.execution_id = p.execution_id
  returning w.execution_id
)
select count(*)::int as admitted from given`;
