import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Adds schedules that are new, with their first cursor and version; one that exists is left as it is.
 *
 * Fenced: no; the first process to register decides.
 * Locks: schedules by name, so that two processes with the same schedules cannot deadlock.
 * Index: schedules_pk.
 * Params: $1 schedule names, $2 job names, $3 first cursors (null = now), $4 expressions, $5 time zones, $6 shapes, $7 now.
 * A first cursor from the database's clock is cut to milliseconds, so that it equals what JavaScript reads back. The next
 * occurrence is unknown to SQL: it is set to the cursor, and the first tick computes it.
 */
export const insertSchedulesSql = ({ table }: LedgerNames): string => `
with made as (
  insert into ${table.schedules} (schedule_name, job_name, version, cursor_at, next_at)
  select
    g.schedule_name, g.job_name, 1, date_trunc('milliseconds', coalesce(g.start_at, ${boundNow(7)})),
    date_trunc('milliseconds', coalesce(g.start_at, ${boundNow(7)}))
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as g(schedule_name, job_name, start_at)
  order by g.schedule_name collate "C"
  on conflict do nothing
  returning schedule_name, cursor_at
)
insert into ${table.schedule_versions} (schedule_name, version, valid_from, expression, time_zone, shape)
select made.schedule_name, 1, made.cursor_at, g.expression, g.time_zone, g.shape::jsonb
from made
join unnest($1::text[], $4::text[], $5::text[], $6::text[]) as g(schedule_name, expression, time_zone, shape)
  on g.schedule_name = made.schedule_name`;
