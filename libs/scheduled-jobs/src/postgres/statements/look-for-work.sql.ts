import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { IS_GATED, queueRoom } from './queue-room.js';

export interface WorkOutlookRow {
  readonly ready: boolean;
  readonly due: boolean;
  readonly waiting: boolean;
  readonly held: boolean;
  readonly next_run_in_ms: number | null;
  readonly gates: readonly {
    readonly queue: string;
    readonly ready: boolean;
    readonly opens_in_ms: number | null;
    readonly has_breaker: boolean;
  }[];
}

const NOW = boundNow(2);

/**
 * True when something of a queue is ready. In the order of the index, whatever statistics say: where nothing of the queue is
 * ready, any other way reads all that is ready of others.
 */
const hasReady = ({ table }: LedgerNames, queue: string): string => `(
    select w.execution_id
    from ${table.work} w
    where w.phase = 'ready' and w.queue = ${queue}
    order by w.priority, w.run_at, w.execution_id
    limit 1
  ) is not null`;

/**
 * Tells what a poll would find, by one look into each of four small indexes, and which of the queues are gated: limited,
 * paused or with a breaker.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_ready, work_delayed, work_waiting, work_held; queues_pk; for gated queues work_leased.
 * Params: $1 queues, $2 now.
 */
export const lookForWorkSql = (names: LedgerNames): string => `
with gates as materialized (
  select
    q.name as queue, r.opens_in_ms, q.breaker is not null as has_breaker,
    ${hasReady(names, 'q.name')} as ready
  from ${names.table.queues} q
  cross join ${queueRoom(names, NOW)} r
  where q.name = any ($1::text[]) and ${IS_GATED}
)
select
  exists (
    select 1
    from unnest($1::text[]) as asked(queue)
    where not exists (select 1 from gates g where g.queue = asked.queue) and ${hasReady(names, 'asked.queue')}
  ) as ready,
  coalesce(head.run_at <= ${NOW}, false) as due,
  exists (select 1 from ${names.table.work} where phase = 'waiting') as waiting,
  exists (select 1 from ${names.table.work} where phase = 'held') as held,
  (select ceil(extract(epoch from min(run_at) - ${NOW}) * 1000)::float8
   from ${names.table.work}
   where phase = 'delayed' and run_at > ${NOW}) as next_run_in_ms,
  (select coalesce(json_agg(g order by g.queue), '[]') from gates g) as gates
from (select min(run_at) as run_at from ${names.table.work} where phase = 'delayed') head`;
