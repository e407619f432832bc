import type { LedgerNames } from '../ledger-names.js';

/** How many concurrency keys one page of a walk looks at. */
export const KEYS_PER_WALK = 500;

export interface AdmittedRow {
  readonly last_key: string | null;
  readonly walked: number;
  readonly admitted: number;
}

/**
 * Gives free slots of concurrency keys to waiting work, next by priority, run time and id. The capacity of a key is the
 * smallest `concurrency` among the jobs that wait or hold under it. Work of paused jobs gets none, so that it keeps none from
 * other jobs.
 *
 * Fenced: no, waiting work has no lease.
 * Locks: the admission lock must be held; work rows, skip locked; waits for nothing after that.
 * Index: work_waiting (walk and pick), work_group (capacity), work_slot (slots in use; its uniqueness is the proof of the
 * limit, the lock only keeps the peace), suspensions_open.
 * Params: $1 concurrency keys (null = walk), $2 walk behind this key, $3 keys per walk.
 */
export const admitWaitingSql = ({ table }: LedgerNames): string => `
with recursive walk as (
  (select concurrency_key, 1 as n
   from ${table.work}
   where $1::text[] is null and phase = 'waiting' and concurrency_key > coalesce($2::text, '')
   order by concurrency_key
   limit 1)
  union all
  select
    (select w.concurrency_key
     from ${table.work} w
     where w.phase = 'waiting' and w.concurrency_key > walk.concurrency_key
     order by w.concurrency_key
     limit 1),
    n + 1
  from walk
  where walk.concurrency_key is not null and n < $3::int
),
asked as (
  select concurrency_key from walk where concurrency_key is not null
  union
  select unnest($1::text[]) collate "C"
),
picked as (
  select next_up.execution_id, room.free[next_up.place] as slot
  from asked
  cross join lateral (
    with recursive member as (
      (select job_name
       from ${table.work}
       where concurrency_key = asked.concurrency_key and (phase = 'waiting' or slot is not null)
       order by job_name
       limit 1)
      union all
      select
        (select w.job_name
         from ${table.work} w
         where w.concurrency_key = asked.concurrency_key
           and (w.phase = 'waiting' or w.slot is not null)
           and w.job_name > member.job_name
         order by w.job_name
         limit 1)
      from member
      where member.job_name is not null
    )
    select min(j.concurrency) as capacity
    from ${table.jobs} j
    where j.name = any (array(select job_name from member))
  ) head
  cross join lateral (
    select
      array_agg(s order by s) filter (where not s = any (held.slots)) as free,
      cardinality(held.slots) as used
    from (
      select array(
        select slot::int from ${table.work} where concurrency_key = asked.concurrency_key and slot is not null
      ) as slots
    ) held
    cross join generate_series(1, head.capacity) s
    group by held.slots
  ) room
  cross join lateral (
    select ready.execution_id, row_number() over (order by ready.priority, ready.run_at, ready.execution_id) as place
    from (
      select w.execution_id, w.priority, w.run_at
      from ${table.work} w
      where w.phase = 'waiting'
        and w.concurrency_key = asked.concurrency_key
        and w.job_name <> all (
          array(select job_name from ${table.suspensions} where kind = 'paused' and to_at is null))
      order by w.priority, w.run_at, w.execution_id
      limit head.capacity - room.used
      for update skip locked
    ) ready
  ) next_up
  where room.used < head.capacity
),
given as (
  update ${table.work} w
  set phase = 'ready', slot = p.slot
  from picked p
  where w.execution_id = p.execution_id
  returning w.execution_id
)
select
  (select max(concurrency_key) from walk) as last_key,
  (select count(*) from walk where concurrency_key is not null)::int as walked,
  (select count(*) from given)::int as admitted`;
