import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Notes from when on a kind of fact is watched; nothing where it is watched already.
 *
 * Fenced: by the primary key.
 * Locks: a new row.
 * Index: alert_watches_pk.
 * Params: $1 kind, $2 now.
 */
export const beginWatchSql = ({ table }: LedgerNames): string => `
insert into ${table.alert_watches} (kind, subject, watched_until)
select $1, '', ${boundNow(2)}
where not exists (select 1 from ${table.alert_watches} where kind = $1 and subject = '')
on conflict do nothing`;
