import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Removes requests that were begun more than a day ago, the oldest first.
 *
 * Fenced: by their row locks.
 * Locks: requests by age, skip locked; never waits.
 * Index: requests_began.
 * Params: $1 now, $2 limit.
 */
export const removeOldRequestsSql = ({ table }: LedgerNames): string => `
delete from ${table.requests}
where id = any (array(
  select id
  from ${table.requests}
  where began_at < ${boundNow(1)} - interval '1 day'
  order by began_at
  limit $2
  for update skip locked
))
returning id`;
