import type { LedgerNames } from '../ledger-names.js';
import { idleJobs } from './idle-jobs.js';

export interface HeldRow {
  readonly held: number;
}

/** A call that did not count gave its number back. */
const HAS_STARTED = '(w.attempt > 0 or w.first_started_at is not null)';

/**
 * Moves work of idle jobs out of the heads of the queues, so that no claim reads over it. Work that has not started gives
 * its slot back to its group and waits; what has started keeps it.
 *
 * Fenced: no, ready work has no lease.
 * Locks: work rows by id, skip locked; never waits.
 * Index: work_ready, once per queue, no further than a head; work_pk; suspensions_open.
 * Params: $1 how far the head of a queue reaches, $2 limit.
 */
export const holdIdleSql = (names: LedgerNames): string => `
with recursive idle as materialized (
  select array${idleJobs(names)} as names
),
waits as (
  (select queue from ${names.table.work} where phase = 'ready' order by queue limit 1)
  union all
  select (select w.queue from ${names.table.work} w where w.phase = 'ready' and w.queue > waits.queue order by w.queue limit 1)
  from waits
  where waits.queue is not null
),
lying as materialized (
  select r.execution_id
  from ${names.table.work} r
  where r.phase = 'ready'
    and r.execution_id = any (array(
      select head.execution_id
      from waits
      cross join lateral (
        select w.execution_id, w.job_name
        from ${names.table.work} w
        where w.phase = 'ready' and w.queue = waits.queue
        order by w.priority, w.run_at, w.execution_id
        limit $1
      ) head
      where head.job_name = any ((select names from idle)::text[])
      limit $2
    ))
  order by r.execution_id
  for update skip locked
),
held as (
  update ${names.table.work} w
  set
    phase = case when w.concurrency_key is null or ${HAS_STARTED} then 'held' else 'waiting' end,
    slot = case when ${HAS_STARTED} then w.slot end
  where w.execution_id = any (array(select execution_id from lying))
  returning 1
)
select count(*)::int as held from held`;
