import type { LedgerNames } from '../ledger-names.js';

/**
 * Writes what has become of breakers. One that opens takes a token greater than those of all claims before.
 *
 * Fenced: by the locks of the queues.
 * Locks: the queues must be locked by an earlier statement of the transaction.
 * Index: queues_pk.
 * Params: $1 names, $2 tallies, $3 until when they are open, $4 openings in a row, $5 probes passed, $6 which opened now.
 */
export const saveBreakersSql = ({ table, leaseTokens }: LedgerNames): string => `
update ${table.queues} q
set
  tally = g.tally::jsonb, open_until = g.open_until, openings = g.openings, probes_passed = g.probes_passed,
  opened_token = case when g.opens then nextval('${leaseTokens}') else q.opened_token end
from unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::int[], $6::boolean[])
  as g(name, tally, open_until, openings, probes_passed, opens)
where q.name = any (array(select unnest($1::text[]))) and q.name = g.name`;
