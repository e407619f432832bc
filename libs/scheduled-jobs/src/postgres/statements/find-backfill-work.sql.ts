import type { LedgerNames } from '../ledger-names.js';

export interface BackfillWorkRow {
  readonly id: string;
}

/**
 * Lists all executions of a backfill that no worker has claimed, in the order in which they were inserted; at most 100,000.
 * By pages it would take longer with each page: fresh rows have no statistics, so each would read the whole backfill.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_backfill, work_pk.
 * Params: $1 backfill id.
 */
export const findBackfillWorkSql = ({ table }: LedgerNames): string => `
select e.id::text as id
from ${table.executions} e
join ${table.work} w on w.execution_id = e.id
where e.backfill_id = $1::bigint and w.phase <> 'leased'
order by e.id`;
