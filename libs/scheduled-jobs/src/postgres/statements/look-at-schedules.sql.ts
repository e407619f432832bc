import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface ScheduleOutlookRow {
  /** Some schedule is due. */
  readonly due: boolean;
  /** When the next one is; null = none ever. */
  readonly next_at: Date | null;
  readonly now: Date;
}

const NOW = boundNow(2);

/**
 * Tells whether a tick would find anything, and when the next one will.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedules_pk.
 * Params: $1 schedule names, $2 now.
 */
export const lookAtSchedulesSql = ({ table }: LedgerNames): string => `
select
  coalesce(min(greatest(next_at, retry_at)) <= ${NOW}, false) as due,
  min(greatest(next_at, retry_at)) as next_at,
  ${NOW} as now
from ${table.schedules}
where schedule_name = any ($1::text[]) and next_at is not null`;
