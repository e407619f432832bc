import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Removes named leases that nobody released and whose time is over.
 *
 * Fenced: by its row lock and the time.
 * Locks: rows by name, skip locked; never waits.
 * Index: none: the table holds what is held now, and little more.
 * Params: $1 now, $2 limit.
 */
export const removeExpiredLeasesSql = ({ table }: LedgerNames): string => `
delete from ${table.leases}
where name = any (array(
  select name
  from ${table.leases}
  where lease_until <= ${boundNow(1)}
  order by name
  limit $2
  for update skip locked
))
returning name`;
