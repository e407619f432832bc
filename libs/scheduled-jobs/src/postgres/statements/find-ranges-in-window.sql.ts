import type { SkippedRangeReason } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';

export interface WindowRangeRow {
  /** The schedule that it was asked for. */
  readonly schedule_name: string;
  readonly from_at: Date;
  readonly to_at: Date;
  readonly reason: SkippedRangeReason;
}

/**
 * Lists the skipped ranges of schedules' names that touch a window, each name's as long as it was the schedule's.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: skipped_ranges_browse.
 * Params: $1 schedules, $2 names of each, $3 until when (null = for ever), $4 from, $5 to, $6 ranges of a name.
 */
export const findRangesInWindowSql = ({ table }: LedgerNames): string => `
select g.schedule_name, r.from_at, r.to_at, r.reason
from unnest($1::text[], $2::text[], $3::timestamptz[]) as g(schedule_name, name, until)
cross join lateral (
  select x.from_at, x.to_at, x.reason
  from ${table.skipped_ranges} x
  where x.job_name = g.name
    and x.from_at <= least($5::timestamptz, g.until)
    and x.to_at >= $4::timestamptz
  order by x.from_at desc
  limit $6::int
) r
order by g.schedule_name, r.from_at`;
