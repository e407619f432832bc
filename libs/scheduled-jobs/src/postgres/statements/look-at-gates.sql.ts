import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { hasReady } from './has-ready.js';
import { IS_GATED, queueRoom } from './queue-room.js';

export interface GatesRow {
  /** Something in a queue without a gate can be claimed. */
  readonly ready: boolean | null;
  readonly gates: readonly {
    readonly queue: string;
    readonly ready: boolean;
    readonly opens_in_ms: number | null;
    readonly has_breaker: boolean;
  }[];
}

const NOW = boundNow(2);

/**
 * Tells which of the queues are gated (limited, paused or with a breaker) and what they let through, and whether something
 * is ready in the others.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: queues_pk, work_ready; work_leased to count what runs.
 * Params: $1 queues, $2 now.
 */
export const lookAtGatesSql = (names: LedgerNames): string => `
with gates as materialized (
  select
    q.name as queue, r.opens_in_ms, q.breaker is not null as has_breaker,
    ${hasReady(names, 'q.name')} as ready
  from ${names.table.queues} q
  cross join ${queueRoom(names, NOW)} r
  where q.name = any ($1::text[]) and ${IS_GATED}
)
select
  (select true
   from unnest($1::text[]) as asked(queue)
   where not exists (select 1 from gates g where g.queue = asked.queue) and ${hasReady(names, 'asked.queue')}
   limit 1) as ready,
  (select coalesce(json_agg(g order by g.queue), '[]') from gates g) as gates`;
