import type { LedgerNames } from '../ledger-names.js';
import { backfillColumns, type BackfillRow } from './backfill-columns.js';

export interface ListedBackfillRow extends BackfillRow {
  /** How many were found before the executions became too many to count. */
  readonly found: number;
}

/**
 * Lists backfills, newest first, and counts the executions of each by state, until those inserted are too many. A filter
 * that is null disappears when the statement is planned.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: backfills_browse when a job is asked for, else backfills_pk backwards; executions_backfill; then work and outcomes by
 * the executions' ids.
 * Params: $1 job, $2 whether canceled (null = either), $3 behind this id, $4 limit, $5 how many executions are counted at most.
 */
export const findBackfillsSql = (names: LedgerNames): string => `
with found as materialized (
  select newest.*, sum(newest.inserted) over (order by newest.id desc) as to_count
  from (
    select *
    from ${names.table.backfills}
    where ($1::text is null or job_name = $1)
      and ($2::boolean is null or (canceled_at is not null) = $2)
      and ($3::bigint is null or id < $3)
    order by id desc
    limit $4::int
  ) newest
)
select ${backfillColumns(names)},
  (select count(*) from found)::int as found
from found b
where b.to_count <= $5::int or b.to_count = b.inserted
order by b.id desc`;
