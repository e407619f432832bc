import type { LedgerNames } from '../ledger-names.js';

/**
 * Keeps the answer of a request.
 *
 * Fenced: by its digest; the first answer stays.
 * Locks: the request.
 * Index: requests_pk.
 * Params: $1 id, $2 digest, $3 answer as JSON text.
 */
export const answerRequestSql = ({ table }: LedgerNames): string => `
update ${table.requests} set answer = $3::json where id = $1 and digest = $2 and answer is null`;
