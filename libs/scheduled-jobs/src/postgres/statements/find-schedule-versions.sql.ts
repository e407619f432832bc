import type { LedgerNames } from '../ledger-names.js';

export interface ScheduleVersionRow {
  readonly schedule_name: string;
  readonly version: number;
  readonly valid_from: Date;
  readonly expression: string;
  readonly time_zone: string;
  readonly shape: Readonly<Record<string, unknown>>;
}

/**
 * Reads the versions that matter after the cursor: the one in force there and the later ones, in order.
 *
 * Fenced: no; the tick holds the schedules' rows.
 * Locks: none.
 * Index: schedules_pk, schedule_versions_pk.
 * Params: $1 schedule names.
 */
export const findScheduleVersionsSql = ({ table }: LedgerNames): string => `
select v.schedule_name, v.version, v.valid_from, v.expression, v.time_zone, v.shape
from ${table.schedules} s
join ${table.schedule_versions} v on v.schedule_name = s.schedule_name
where s.schedule_name = any ($1::text[])
  and not exists (
    select 1
    from ${table.schedule_versions} later
    where later.schedule_name = v.schedule_name and later.version > v.version and later.valid_from <= s.cursor_at
  )
order by v.schedule_name, v.version`;
