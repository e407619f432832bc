import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { groupCapacity } from './group-capacity.js';

export interface DueWorkRow {
  readonly key: string;
  readonly queue: string;
  readonly is_leased: boolean;
  readonly is_waiting: boolean;
}

/**
 * Finds work of some jobs that could run now or runs, but for that of paused jobs. What waits for a slot is due as soon as
 * there is a free one, whoever will give it: asked at another moment than for what holds them, short runs would hide the rest.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: none; tests have little work.
 * Params: $1 jobs, $2 now, $3 how many at most.
 */
export const findDueWorkSql = (names: LedgerNames): string => `
select e.key, w.queue, w.phase = 'leased' as is_leased, w.phase = 'waiting' as is_waiting
from ${names.table.work} w
join ${names.table.executions} e on e.id = w.execution_id
where w.job_name = any ($1::text[])
  and (
    w.phase in ('ready', 'leased')
    or (w.phase = 'delayed' and w.run_at <= ${boundNow(2)})
    or (
      w.phase = 'waiting'
      and (select count(*) from ${names.table.work} h where h.concurrency_key = w.concurrency_key and h.slot is not null)
        < ${groupCapacity(names, 'w.concurrency_key')}
    )
  )
  and (
    w.phase = 'leased'
    or not exists (
      select 1 from ${names.table.suspensions} s where s.job_name = w.job_name and s.kind = 'paused' and s.to_at is null
    )
  )
order by w.execution_id
limit $3::int`;
