import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface LockedScheduleRow {
  readonly schedule_name: string;
  readonly job_name: string;
  readonly cursor_at: Date;
  readonly now: Date;
}

const NOW = boundNow(2);

/**
 * Locks the schedules that are due; one that another process is ticking is left to it.
 *
 * Fenced: by the row lock, held until the cursor has moved and the transaction has ended.
 * Locks: schedules, the longest due first, skip locked; never waits.
 * Index: schedules_pk.
 * Params: $1 schedule names, $2 now, $3 limit.
 */
export const lockDueSchedulesSql = ({ table }: LedgerNames): string => `
select schedule_name, job_name, cursor_at, ${NOW} as now
from ${table.schedules}
where schedule_name = any ($1::text[])
  and next_at <= ${NOW}
  and (retry_at is null or retry_at <= ${NOW})
order by next_at, schedule_name
limit $3
for update skip locked`;
