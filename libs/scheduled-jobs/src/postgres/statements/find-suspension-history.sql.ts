import type { LedgerNames } from '../ledger-names.js';
import type { SuspensionRow } from './find-suspensions.sql.js';

export interface PastSuspensionRow extends SuspensionRow {
  readonly ended_by: string | null;
  readonly end_reason: string | null;
}

/**
 * Lists the suspensions of one job, newest first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: suspensions_browse backwards.
 * Params: $1 job name, $2 limit.
 */
export const findSuspensionHistorySql = ({ table }: LedgerNames): string => `
select job_name, kind, from_at, to_at, catch_up, actor, reason, ended_by, end_reason
from ${table.suspensions}
where job_name = $1
order by from_at desc, id desc
limit $2::int`;
