import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface DueWorkRow {
  readonly key: string;
  readonly queue: string;
  readonly is_leased: boolean;
}

/**
 * Finds work of some jobs that could run now or runs, but for that of paused jobs. What waits for a slot is not due before
 * it has one.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: none; tests have little work.
 * Params: $1 jobs, $2 now, $3 how many at most.
 */
export const findDueWorkSql = ({ table }: LedgerNames): string => `
select e.key, w.queue, w.phase = 'leased' as is_leased
from ${table.work} w
join ${table.executions} e on e.id = w.execution_id
where w.job_name = any ($1::text[])
  and (w.phase in ('ready', 'leased') or (w.phase = 'delayed' and w.run_at <= ${boundNow(2)}))
  and (
    w.phase = 'leased'
    or not exists (
      select 1 from ${table.suspensions} s where s.job_name = w.job_name and s.kind = 'paused' and s.to_at is null
    )
  )
order by w.execution_id
limit $3::int`;
