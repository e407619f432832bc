import type { LedgerNames } from '../ledger-names.js';

/**
 * Puts schedules in force as their definitions have changed, those that take over under a new name included, and makes them
 * due, so that the next tick computes their next occurrence.
 *
 * Fenced: by the schedules' row locks, which the registration already holds where the rows exist.
 * Locks: schedules by name.
 * Index: schedules_pk.
 * Params: $1 schedule names, $2 newest versions, $3 cursors, $4 releases.
 */
export const saveSchedulesSql = ({ table }: LedgerNames): string => `
insert into ${table.schedules} (schedule_name, job_name, version, cursor_at, next_at, release)
select g.schedule_name, g.schedule_name, g.version, g.cursor_at, g.cursor_at, g.release
from unnest($1::text[], $2::int[], $3::timestamptz[], $4::bigint[]) as g(schedule_name, version, cursor_at, release)
order by g.schedule_name collate "C"
on conflict (schedule_name) do update
set
  version = excluded.version, cursor_at = excluded.cursor_at, next_at = excluded.next_at, release = excluded.release,
  renamed_to = null, last_error = null, retry_at = null, failures = 0`;
