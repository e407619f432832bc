import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface ResumedRow {
  readonly at: Date;
  readonly changed: boolean;
}

const NOW = `date_trunc('milliseconds', ${boundNow(5)})`;

/**
 * Ends the pause of a job now, never before it began, and tells workers that its executions may run. Without a pause it
 * changes nothing and gives the present.
 *
 * Fenced: by the row of the open pause.
 * Locks: one row of suspensions; waits for a transaction that resumes the same job.
 * Index: suspensions_open.
 * Params: $1 job, $2 catch up, $3 actor, $4 reason, $5 now, $6 channel to send a hint on.
 */
export const resumeJobSql = ({ table }: LedgerNames): string => `
with ended as (
  update ${table.suspensions}
  set to_at = greatest(from_at, ${NOW}), catch_up = $2, ended_by = $3, end_reason = $4
  where job_name = $1 and kind = 'paused' and to_at is null
  returning to_at
)
select to_at as at, true as changed, pg_notify($6, '')::text as hint
from ended
union all
select ${NOW}, false, null
where not exists (select 1 from ended)`;
