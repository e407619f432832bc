import type { LedgerNames } from '../ledger-names.js';

export interface LockedVersionRow {
  readonly schedule_name: string;
  /** The number of its newest version. */
  readonly version: number;
  /** The schedule that took over from it; null = it is in force itself. */
  readonly renamed_to: string | null;
}

/**
 * Locks schedules whose definition or name changes, or whose periods are backfilled, so that only one process writes and no
 * tick runs meanwhile.
 *
 * Fenced: by the row lock.
 * Locks: schedules by name; waits for a tick or another registration.
 * Index: schedules_pk.
 * Params: $1 schedule names.
 */
export const lockSchedulesSql = ({ table }: LedgerNames): string => `
select schedule_name, version, renamed_to
from ${table.schedules}
where schedule_name = any ($1::text[])
order by schedule_name
for update`;
