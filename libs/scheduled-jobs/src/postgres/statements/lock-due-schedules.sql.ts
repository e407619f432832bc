import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isTicked } from './is-ticked.js';

export interface LockedScheduleRow {
  readonly schedule_name: string;
  readonly job_name: string;
  readonly cursor_at: Date;
  readonly now: Date;
}

const NOW = boundNow(2);

/**
 * Locks the schedules that are due and do not stand still; one that another process is ticking is left to it.
 *
 * Fenced: by the row lock, held until the cursor has moved and the transaction has ended.
 * Locks: schedules, the longest due first, skip locked; never waits.
 * Index: schedules_pk, suspensions_open.
 * Params: $1 schedule names, $2 now, $3 limit.
 */
export const lockDueSchedulesSql = (names: LedgerNames): string => `
select s.schedule_name, s.job_name, s.cursor_at, ${NOW} as now
from ${names.table.schedules} s
where s.schedule_name = any ($1::text[])
  and s.next_at <= ${NOW}
  and (s.retry_at is null or s.retry_at <= ${NOW})
  and ${isTicked(names)}
order by s.next_at, s.schedule_name
limit $3
for update skip locked`;
