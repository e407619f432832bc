import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Begins a request, unless one with its id was begun within the last day. One without an answer is begun again after two
 * minutes by the same request: a process that answers takes seconds.
 *
 * Fenced: by the primary key: of many at once one gets the row.
 * Locks: the request; waits for others that begin it.
 * Index: requests_pk.
 * Params: $1 id, $2 digest, $3 now.
 */
export const beginRequestSql = ({ table }: LedgerNames): string => `
insert into ${table.requests} as r (id, digest, began_at)
values ($1, $2, ${boundNow(3)})
on conflict (id) do update
set digest = excluded.digest, began_at = excluded.began_at, answer = null
where r.began_at < excluded.began_at - interval '1 day'
  or r.answer is null and r.digest = excluded.digest and r.began_at < excluded.began_at - interval '2 minutes'
returning id`;
