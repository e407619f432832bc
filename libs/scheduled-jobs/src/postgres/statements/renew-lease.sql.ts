import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

const NOW = boundNow(4);

/**
 * Makes a named lease last its full time again; no row = it is lost.
 *
 * Fenced: name, token and time that is not over.
 * Locks: its row, for no key update: a transaction that has passed its fence does not hold it up.
 * Index: leases_pk; no indexed column changes.
 * Params: $1 name, $2 token, $3 time to live in ms, $4 now.
 */
export const renewLeaseSql = ({ table }: LedgerNames): string => `
update ${table.leases}
set lease_until = ${NOW} + $3::int * interval '1 millisecond'
where name = $1 and lease_token = $2::bigint and lease_until > ${NOW}
returning name`;
