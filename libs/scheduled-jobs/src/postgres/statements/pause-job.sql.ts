import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface PausedRow {
  readonly at: Date;
  readonly changed: boolean;
}

/**
 * Pauses a job from now on; a pause that goes on stays as it is. No row: another one began or ended at the same moment,
 * which the next look sees.
 *
 * Fenced: by the unique open suspension of a job and kind.
 * Locks: a new row of suspensions; waits for a transaction that pauses the same job.
 * Index: suspensions_open.
 * Params: $1 job, $2 actor, $3 reason, $4 now.
 * The instant is cut to milliseconds, so that it equals what JavaScript reads back.
 */
export const pauseJobSql = ({ table }: LedgerNames): string => `
with added as (
  insert into ${table.suspensions} (job_name, kind, from_at, actor, reason)
  values ($1, 'paused', date_trunc('milliseconds', ${boundNow(4)}), $2, $3)
  on conflict (job_name, kind) where to_at is null do nothing
  returning from_at
)
select from_at as at, true as changed
from added
union all
select from_at, false
from ${table.suspensions}
where job_name = $1 and kind = 'paused' and to_at is null and not exists (select 1 from added)`;
