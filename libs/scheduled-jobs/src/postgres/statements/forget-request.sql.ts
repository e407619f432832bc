import type { LedgerNames } from '../ledger-names.js';

/**
 * Forgets a request that nothing came of.
 *
 * Fenced: by its digest; what was answered stays.
 * Locks: the request.
 * Index: requests_pk.
 * Params: $1 id, $2 digest.
 */
export const forgetRequestSql = ({ table }: LedgerNames): string => `
delete from ${table.requests} where id = $1 and digest = $2 and answer is null`;
