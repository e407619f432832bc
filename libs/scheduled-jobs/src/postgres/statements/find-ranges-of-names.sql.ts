import type { LedgerNames } from '../ledger-names.js';

export interface RangeRow {
  readonly from_at: Date;
  readonly to_at: Date;
}

/**
 * Lists all skipped ranges of a job's names, in order.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: skipped_ranges_browse.
 * Params: $1 job names.
 */
export const findRangesOfNamesSql = ({ table }: LedgerNames): string => `
select from_at, to_at
from ${table.skipped_ranges}
where job_name = any ($1::text[])
order by from_at, to_at`;
