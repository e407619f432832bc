import type { BreakerSettings } from '../../core/queue/queue-limits.js';
import type { Tally } from '../../core/queue/breaker.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface QueueRow {
  readonly name: string;
  readonly concurrency: number | null;
  readonly rate: number | null;
  readonly rate_ms: number | null;
  readonly burst: number | null;
  readonly paused_at: Date | null;
  readonly paused_by: string | null;
  readonly pause_reason: string | null;
  readonly breaker: BreakerSettings | null;
  readonly tally: Tally | null;
  readonly open_until: Date | null;
  readonly now: Date;
  readonly ready: number;
  readonly running: number;
  readonly oldest_ready_ms: number | null;
}

const NOW = boundNow(2);

/**
 * Reads queues: those named, those with a row, and those with ready or leased work, found by steps from one name to the
 * next. Those that only ready work knows come last: names may be invented by whoever enqueues.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_ready, work_leased, queues_pk.
 * Params: $1 names, $2 now, $3 how many executions of each are counted, $4 how many queues.
 */
export const findQueuesSql = ({ table }: LedgerNames): string => `
with recursive walk as (
  select min(queue) as name, 1 as step from ${table.work} where phase = 'ready'
  union all
  select (select min(w.queue) from ${table.work} w where w.phase = 'ready' and w.queue > walk.name), walk.step + 1
  from walk
  where walk.name is not null and walk.step < $4::int
),
named as (
  select name from ${table.queues}
  union
  select unnest($1::text[]) collate "C"
  union
  select name from walk where name is not null
  union
  select queue from ${table.work} where phase = 'leased'
)
select
  n.name, q.concurrency, q.rate, q.rate_ms, q.burst, q.paused_at, q.paused_by, q.pause_reason, q.breaker, q.tally,
  q.open_until, ${NOW} as now, head.ready, held.running,
  floor(extract(epoch from ${NOW} - case when head.oldest < ${NOW} then head.oldest when head.ready > 0 then ${NOW} end) * 1000)::float8 as oldest_ready_ms
from named n
left join ${table.queues} q on q.name = n.name
cross join lateral (
  select count(*)::int as ready, min(x.run_at) as oldest
  from (select run_at from ${table.work} w where w.phase = 'ready' and w.queue = n.name limit $3::int) x
) head
cross join lateral (
  select count(*)::int as running
  from (select 1 from ${table.work} w where w.phase = 'leased' and w.queue = n.name limit $3::int) x
) held
order by n.name <> all ($1::text[]) and q.name is null and held.running = 0, n.name
limit $4::int`;
