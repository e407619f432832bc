import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Removes alerts that were closed long ago, the oldest first. Facts that old are not judged again.
 *
 * Fenced: by their row locks.
 * Locks: alerts by id, skip locked; never waits.
 * Index: alerts_pk: it looks at the first ones only.
 * Params: $1 now, $2 how many to look at.
 */
export const removeOldAlertsSql = ({ table }: LedgerNames): string => `
delete from ${table.alerts}
where id = any (array(
  select id
  from ${table.alerts}
  where id = any (array(select id from ${table.alerts} order by id limit $2))
    and closed_at < ${boundNow(1)} - interval '90 days'
  order by id
  for update skip locked
))
returning id`;
