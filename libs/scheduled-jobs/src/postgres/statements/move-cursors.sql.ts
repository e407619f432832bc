import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Moves cursors on, clears old failures, and records what was left out, each only where the cursor still stands where the
 * tick found it.
 *
 * Fenced: by the schedule's row lock and its old cursor.
 * Locks: schedules, which the tick already holds; new rows of skipped ranges.
 * Index: schedules_pk.
 * Params: $1 schedule names, $2 old cursors, $3 new cursors, $4 next occurrences (null = never again);
 * of the ranges: $5 schedule names, $6 first, $7 last, $8 occurrences, $9 reasons; $10 now.
 */
export const moveCursorsSql = ({ table }: LedgerNames): string => `
with moved as (
  update ${table.schedules} s
  set cursor_at = m.cursor_new, next_at = m.next_at, last_error = null, retry_at = null, failures = 0
  from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[])
    as m(schedule_name, cursor_old, cursor_new, next_at)
  where s.schedule_name = m.schedule_name and s.cursor_at = m.cursor_old
  returning s.schedule_name, s.job_name
),
left_out as (
  insert into ${table.skipped_ranges} (job_name, from_at, to_at, occurrences, reason, created_at)
  select moved.job_name, r.from_at, r.to_at, r.occurrences, r.reason, ${boundNow(10)}
  from unnest($5::text[], $6::timestamptz[], $7::timestamptz[], $8::bigint[], $9::text[])
    as r(schedule_name, from_at, to_at, occurrences, reason)
  join moved on moved.schedule_name = r.schedule_name
)
select schedule_name from moved`;
