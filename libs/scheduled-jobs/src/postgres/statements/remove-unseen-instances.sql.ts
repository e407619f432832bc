import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Removes processes that were not seen for a day.
 *
 * Fenced: by their row locks.
 * Locks: instances by id, skip locked; never waits.
 * Index: none: one row a process.
 * Params: $1 now, $2 limit.
 */
export const removeUnseenInstancesSql = ({ table }: LedgerNames): string => `
delete from ${table.instances}
where id = any (array(
  select id
  from ${table.instances}
  where seen_at < ${boundNow(1)} - interval '1 day'
  order by id
  limit $2
  for update skip locked
))
returning id`;
