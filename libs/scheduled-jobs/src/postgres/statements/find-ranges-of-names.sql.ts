import type { LedgerNames } from '../ledger-names.js';

export interface RangeRow {
  readonly from_at: Date;
  readonly to_at: Date;
}

/**
 * Lists all skipped ranges of a job's names, in order, each name's as long as it was the job's.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: skipped_ranges_browse.
 * Params: $1 job names, $2 until when (null = for ever).
 */
export const findRangesOfNamesSql = ({ table }: LedgerNames): string => `
select r.from_at, r.to_at
from unnest($1::text[], $2::timestamptz[]) as g(name, until)
join ${table.skipped_ranges} r on r.job_name = g.name and (g.until is null or r.from_at <= g.until)
order by r.from_at, r.to_at`;
