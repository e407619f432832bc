import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Adds a version to schedules, valid from now, and makes them due, so that the next tick computes their next occurrence.
 *
 * Fenced: by the schedule's row lock, which the registration already holds.
 * Locks: schedules; new rows of schedule versions.
 * Index: schedules_pk, schedule_versions_pk.
 * Params: $1 schedule names, $2 expressions, $3 time zones, $4 shapes, $5 now.
 */
export const addScheduleVersionsSql = ({ table }: LedgerNames): string => `
with raised as (
  update ${table.schedules} s
  set version = s.version + 1, next_at = s.cursor_at, last_error = null, retry_at = null, failures = 0
  where s.schedule_name = any ($1::text[])
  returning s.schedule_name, s.version
)
insert into ${table.schedule_versions} (schedule_name, version, valid_from, expression, time_zone, shape)
select raised.schedule_name, raised.version, date_trunc('milliseconds', ${boundNow(5)}), g.expression, g.time_zone, g.shape::jsonb
from raised
join unnest($1::text[], $2::text[], $3::text[], $4::text[]) as g(schedule_name, expression, time_zone, shape)
  on g.schedule_name = raised.schedule_name`;
