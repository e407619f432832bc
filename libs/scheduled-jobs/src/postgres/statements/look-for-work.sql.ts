import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { hasReady } from './has-ready.js';
import { IS_GATED } from './queue-room.js';

export interface WorkOutlookRow {
  readonly ready: boolean | null;
  readonly gated: boolean;
  readonly due: boolean | null;
  readonly waiting: boolean;
  readonly held: boolean;
  readonly next_run_in_ms: number | null;
  readonly expired: boolean | null;
}

const NOW = boundNow(2);

/**
 * Tells what a poll would find, by one look into each of a few small indexes, and whether one of the queues is gated:
 * limited, paused or with a breaker. What is gated is looked at by a statement of its own, because each part of this one
 * costs more to plan than to run, and most applications have no such queue.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_ready, work_delayed, work_waiting, work_held; queues_pk; work_leased when asked for leases that ran out.
 * Params: $1 queues, $2 now, $3 whether to look for leases that ran out (all leases are read for that).
 */
export const lookForWorkSql = (names: LedgerNames): string => `
select
  (select true from unnest($1::text[]) as asked(queue) where ${hasReady(names, 'asked.queue')} limit 1) as ready,
  exists (select 1 from ${names.table.queues} q where q.name = any ($1::text[]) and ${IS_GATED}) as gated,
  (select run_at <= ${NOW} from ${names.table.work} where phase = 'delayed' order by run_at limit 1) as due,
  exists (select 1 from ${names.table.work} where phase = 'waiting') as waiting,
  exists (select 1 from ${names.table.work} where phase = 'held') as held,
  (select ceil(extract(epoch from run_at - ${NOW}) * 1000)::float8
   from ${names.table.work}
   where phase = 'delayed' and run_at > ${NOW}
   order by run_at
   limit 1) as next_run_in_ms,
  case when $3 then
    exists (select 1 from ${names.table.work} where phase = 'leased' and lease_until < ${NOW})
  end as expired`;
