import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Moves cursors on, clears old failures, and records what was left out, each only where the cursor still stands where the
 * tick found it. What is left out for the same reason right behind the newest range extends that one, so that a long
 * stretch is one range however often it was ticked.
 *
 * Fenced: by the schedule's row lock and its old cursor.
 * Locks: schedules, which the tick already holds; the newest skipped range of a job, or a new one.
 * Index: schedules_pk, skipped_ranges_browse, skipped_ranges_pk.
 * Params: $1 schedule names, $2 old cursors, $3 new cursors, $4 next occurrences (null = never again); of the range that is
 * left out: $5 first (null = none), $6 last, $7 occurrences, $8 reasons, $9 actors; $10 now.
 */
export const moveCursorsSql = ({ table }: LedgerNames): string => `
with moved as (
  update ${table.schedules} s
  set cursor_at = m.cursor_new, next_at = m.next_at, last_error = null, retry_at = null, failures = 0
  from unnest(
    $1::text[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
    $7::bigint[], $8::text[], $9::text[]
  ) as m(schedule_name, cursor_old, cursor_new, next_at, from_at, to_at, occurrences, reason, actor)
  where s.schedule_name = m.schedule_name and s.cursor_at = m.cursor_old
  returning s.schedule_name, s.job_name, m.cursor_old, m.from_at, m.to_at, m.occurrences, m.reason, m.actor
),
left_out as materialized (
  select moved.job_name, moved.from_at, moved.to_at, moved.occurrences, moved.reason, moved.actor, newest.id as follows
  from moved
  left join lateral (
    select r.id, r.to_at, r.reason, r.actor
    from ${table.skipped_ranges} r
    where r.job_name = moved.job_name
    order by r.from_at desc
    limit 1
  ) newest on newest.to_at = moved.cursor_old
    and newest.reason = moved.reason
    and newest.actor is not distinct from moved.actor
  where moved.from_at is not null
),
extended as (
  update ${table.skipped_ranges} r
  set to_at = left_out.to_at, occurrences = r.occurrences + left_out.occurrences
  from left_out
  where r.id = any (array(select follows from left_out)) and r.id = left_out.follows
),
added as (
  insert into ${table.skipped_ranges} (job_name, from_at, to_at, occurrences, reason, actor, created_at)
  select job_name, from_at, to_at, occurrences, reason, actor, ${boundNow(10)}
  from left_out
  where follows is null
)
select schedule_name from moved`;
