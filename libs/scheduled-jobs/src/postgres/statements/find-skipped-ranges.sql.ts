import type { SkippedRangeReason } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';

export interface SkippedRangeRow {
  readonly from_at: Date;
  readonly to_at: Date;
  readonly occurrences: string;
  readonly reason: SkippedRangeReason;
  readonly actor: string | null;
  readonly created_at: Date;
}

/**
 * Lists the skipped ranges of one job, newest first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: skipped_ranges_browse backwards.
 * Params: $1 job name, $2 limit.
 */
export const findSkippedRangesSql = ({ table }: LedgerNames): string => `
select from_at, to_at, occurrences, reason, actor, created_at
from ${table.skipped_ranges}
where job_name = $1
order by from_at desc
limit $2::int`;
