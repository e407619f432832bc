import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface MeasuresRow {
  readonly dead_letters: number;
  readonly delayed: number;
  readonly waiting: number;
  readonly held: number;
  readonly instances: number;
  readonly workers: number;
  readonly schedulers: number;
}

const NOW = boundNow(1);

/**
 * Counts what needs attention or waits, each up to a limit, and the processes that are alive.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: outcomes_dead, work_delayed, work_waiting, work_held; of instances none: one row a process.
 * Params: $1 now, $2 how many of each are counted, $3 ms after which a process that was not seen has gone.
 */
export const measureLedgerSql = ({ table }: LedgerNames): string => {
  const counted = (phase: string): string =>
    `(select count(*)::int from (select 1 from ${table.work} w where w.phase = '${phase}' limit $2::int) x)`;
  return `
select
  (
    select count(*)::int
    from (select 1 from ${table.outcomes} o where o.state = 'failed' and o.acknowledged_at is null limit $2::int) x
  ) as dead_letters,
  ${counted('delayed')} as delayed, ${counted('waiting')} as waiting, ${counted('held')} as held,
  alive.instances, alive.workers, alive.schedulers
from (
  select
    count(*)::int as instances,
    count(*) filter (where 'worker' = any (i.roles))::int as workers,
    count(*) filter (where 'scheduler' = any (i.roles))::int as schedulers
  from ${table.instances} i
  where i.seen_at > ${NOW} - $3::int * interval '1 millisecond' and i.stopped_at is null
) alive`;
};
