import type { LedgerNames } from '../ledger-names.js';

/**
 * Adds versions to schedules. Nobody has carried them yet.
 *
 * Fenced: by the schedules' row locks, which the registration already holds.
 * Locks: new rows of schedule versions.
 * Index: schedule_versions_pk.
 * Params: $1 schedule names, $2 versions, $3 from when they are valid, $4 expressions, $5 time zones, $6 shapes, $7 zone data.
 */
export const addScheduleVersionsSql = ({ table }: LedgerNames): string => `
insert into ${table.schedule_versions} (schedule_name, version, valid_from, expression, time_zone, shape, zone_data)
select g.schedule_name, g.version, g.valid_from, g.expression, g.time_zone, g.shape::jsonb, g.zone_data
from unnest($1::text[], $2::int[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])
  as g(schedule_name, version, valid_from, expression, time_zone, shape, zone_data)`;
