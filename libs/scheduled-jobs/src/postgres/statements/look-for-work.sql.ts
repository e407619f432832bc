import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface WorkOutlookRow {
  readonly ready: boolean;
  readonly due: boolean;
  readonly waiting: boolean;
  readonly held: boolean;
  readonly next_run_in_ms: number | null;
}

const NOW = boundNow(2);

/**
 * Tells what a poll would find, by one look into each of four small indexes.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_ready, work_delayed, work_waiting, work_held.
 * Params: $1 queues, $2 now.
 */
export const lookForWorkSql = ({ table }: LedgerNames): string => `
select
  exists (select 1 from ${table.work} where phase = 'ready' and queue = any ($1::text[])) as ready,
  coalesce(head.run_at <= ${NOW}, false) as due,
  exists (select 1 from ${table.work} where phase = 'waiting') as waiting,
  exists (select 1 from ${table.work} where phase = 'held') as held,
  (select ceil(extract(epoch from min(run_at) - ${NOW}) * 1000)::float8
   from ${table.work}
   where phase = 'delayed' and run_at > ${NOW}) as next_run_in_ms
from (select min(run_at) as run_at from ${table.work} where phase = 'delayed') head`;
