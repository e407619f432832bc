import type { LedgerNames } from '../ledger-names.js';

export interface BackfillWorkRow {
  readonly id: string;
}

/**
 * Lists executions of a backfill that no worker has claimed, in the order in which they were inserted.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_backfill, work_pk.
 * Params: $1 backfill id, $2 behind this execution id, $3 limit.
 */
export const findBackfillWorkSql = ({ table }: LedgerNames): string => `
select e.id::text as id
from ${table.executions} e
join ${table.work} w on w.execution_id = e.id
where e.backfill_id = $1::bigint and e.id > $2::bigint and w.phase <> 'leased'
order by e.id
limit $3::int`;
