import type { LedgerNames } from '../ledger-names.js';
import type { ScheduleVersionRow } from './find-schedule-versions.sql.js';

export interface StoredVersionRow extends ScheduleVersionRow {
  readonly carried_at: Date | null;
  readonly zone_data: string | null;
}

/**
 * Reads all versions of schedules, in order.
 *
 * Fenced: no, it only reads; a registration that found something to change reads again under the schedules' row locks.
 * Locks: none.
 * Index: schedule_versions_pk.
 * Params: $1 schedule names.
 */
export const findStoredVersionsSql = ({ table }: LedgerNames): string => `
select schedule_name, version, valid_from, expression, time_zone, shape, carried_at, zone_data
from ${table.schedule_versions}
where schedule_name = any ($1::text[])
order by schedule_name, version`;
