import type { LedgerNames } from '../ledger-names.js';

/**
 * Tells how a lease stands after a write found no row.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_pk.
 * Params: $1 id, $2 token.
 */
export const readLeaseSql = ({ table }: LedgerNames): string => `
select cancel_requested_at is not null as cancel
from ${table.work}
where execution_id = $1::bigint and lease_token = $2::bigint and lease_until is not null`;
