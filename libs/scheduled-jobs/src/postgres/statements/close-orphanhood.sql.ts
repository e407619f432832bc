import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Ends the orphanhood of schedules that somebody carries again, and makes them due: the catch-up policy decides about the
 * periods meanwhile.
 *
 * Fenced: by the schedules' row locks, which the registration already holds.
 * Locks: schedules, suspensions.
 * Index: suspensions_open, schedules_pk.
 * Params: $1 schedule names, $2 now.
 */
export const closeOrphanhoodSql = ({ table }: LedgerNames): string => `
with ended as (
  update ${table.suspensions}
  set to_at = greatest(from_at, date_trunc('milliseconds', ${boundNow(2)}))
  where job_name = any ($1::text[]) and kind = 'orphaned' and to_at is null
  returning job_name
)
update ${table.schedules}
set next_at = cursor_at
where schedule_name = any (array(select job_name from ended))`;
