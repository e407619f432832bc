import type { LedgerNames } from '../ledger-names.js';
import { backfillColumns } from './backfill-columns.js';

/**
 * Reads a backfill and counts its executions by state.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: backfills_pk, executions_backfill; then work and outcomes by the executions' ids.
 * Params: $1 id.
 */
export const findBackfillSql = (names: LedgerNames): string => `
select ${backfillColumns(names)}
from ${names.table.backfills} b
where b.id = $1::bigint`;
