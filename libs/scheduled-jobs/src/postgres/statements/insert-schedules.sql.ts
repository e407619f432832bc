import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Adds schedules that are new, with their first cursor and version; one that exists is left as it is.
 *
 * Fenced: no; the first process to register decides.
 * Locks: schedules by name, so that two processes with the same schedules cannot deadlock.
 * Index: schedules_pk.
 * Params: $1 schedule names, $2 first cursors (null = now), $3 expressions, $4 time zones, $5 shapes, $6 zone data,
 * $7 release, $8 now.
 * A first cursor from the database's clock is cut to milliseconds, so that it equals what JavaScript reads back. The next
 * occurrence is unknown to SQL: it is set to the cursor, and the first tick computes it.
 */
export const insertSchedulesSql = ({ table }: LedgerNames): string => `
with made as (
  insert into ${table.schedules} (schedule_name, job_name, version, cursor_at, next_at, release)
  select
    g.schedule_name, g.schedule_name, 1, date_trunc('milliseconds', coalesce(g.start_at, ${boundNow(8)})),
    date_trunc('milliseconds', coalesce(g.start_at, ${boundNow(8)})), $7::bigint
  from unnest($1::text[], $2::timestamptz[]) as g(schedule_name, start_at)
  order by g.schedule_name collate "C"
  on conflict do nothing
  returning schedule_name, cursor_at
)
insert into ${table.schedule_versions} (schedule_name, version, valid_from, expression, time_zone, shape, zone_data)
select made.schedule_name, 1, made.cursor_at, g.expression, g.time_zone, g.shape::jsonb, g.zone_data
from made
join unnest($1::text[], $3::text[], $4::text[], $5::text[], $6::text[])
  as g(schedule_name, expression, time_zone, shape, zone_data) on g.schedule_name = made.schedule_name
returning schedule_name`;
