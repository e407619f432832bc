import type { LedgerNames } from '../ledger-names.js';

/**
 * Puts the limits of queues in force. What was used up stays used up: a restart fills no bucket and closes no breaker that
 * stays; without a rate or a breaker there is none to keep. Where a breaker changes, its probes begin anew: more may have passed
 * than are asked for now.
 *
 * Fenced: no; the last process to start decides.
 * Locks: queues by name, so that two processes with the same queues cannot deadlock; waits for claims, which are short.
 * Index: queues_pk.
 * Params: $1 names, $2 concurrencies, $3 rates, $4 milliseconds of each rate, $5 bursts, $6 breakers.
 */
export const configureQueuesSql = ({ table }: LedgerNames): string => `
insert into ${table.queues} as q (name, concurrency, rate, rate_ms, burst, breaker)
select g.name, g.concurrency, g.rate, g.rate_ms, g.burst, g.breaker::jsonb
from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::int[], $6::text[])
  as g(name, concurrency, rate, rate_ms, burst, breaker)
order by g.name collate "C"
on conflict (name) do update
set
  concurrency = excluded.concurrency, rate = excluded.rate, rate_ms = excluded.rate_ms, burst = excluded.burst,
  tokens = case when excluded.rate is not null then q.tokens end,
  refilled_at = case when excluded.rate is not null then q.refilled_at end,
  breaker = excluded.breaker,
  tally = case when excluded.breaker is not null then q.tally end,
  open_until = case when excluded.breaker is not null then q.open_until end,
  openings = case when excluded.breaker is not null then q.openings else 0 end,
  probes_passed = case when excluded.breaker = q.breaker then q.probes_passed else 0 end`;
