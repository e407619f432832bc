import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isTicked } from './is-ticked.js';

export interface ScheduleOutlookRow {
  /** Some schedule is due. */
  readonly due: boolean;
  /** When the next one is; null = none ever. */
  readonly next_at: Date | null;
  readonly now: Date;
}

const NOW = boundNow(2);

/**
 * Tells whether a tick would find anything, and when the next one will. What stands still is not counted.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedules_pk, suspensions_open.
 * Params: $1 schedule names, $2 now.
 */
export const lookAtSchedulesSql = (names: LedgerNames): string => `
select
  coalesce(min(greatest(s.next_at, s.retry_at)) <= ${NOW}, false) as due,
  min(greatest(s.next_at, s.retry_at)) as next_at,
  ${NOW} as now
from ${names.table.schedules} s
where s.schedule_name = any ($1::text[])
  and s.next_at is not null
  and ${isTicked(names)}`;
