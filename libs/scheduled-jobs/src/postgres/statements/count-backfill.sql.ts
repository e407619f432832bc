import type { LedgerNames } from '../ledger-names.js';

/**
 * Records what became of a backfill's periods, in the transaction that inserted it.
 *
 * Fenced: no, nobody else sees the row yet.
 * Locks: the row of the backfill.
 * Index: backfills_pk.
 * Params: $1 id, $2 inserted, $3 existing, $4 pruned.
 */
export const countBackfillSql = ({ table }: LedgerNames): string => `
update ${table.backfills}
set inserted = $2, existing = $3, pruned = $4
where id = $1::bigint`;
