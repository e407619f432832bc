import type { LedgerNames } from '../ledger-names.js';
import type { FinishedRow } from './finish-attempts.sql.js';
import { givenIds, isLeased } from './work-lookup.js';

/** What was recorded; null = all that was asked for, and no slot was freed. */
export interface SucceededRow {
  readonly recorded: readonly Omit<FinishedRow, 'disposition'>[] | null;
}

/**
 * Records plain successes: nothing uncommitted, no note. Work that was asked to stop is left for the full statement. The
 * usual answer is one row that says nothing: a row for each execution costs more than its outcome.
 *
 * Fenced: id, token, leased and not asked to stop.
 * Locks: work rows; waits for them, which only short statements hold. Then new rows of outcomes and attempts.
 * Index: work_pk.
 * Params: $1 ids, $2 tokens, $3 starts and $4 ends in seconds since 1970, $5 results (null = none has one), $6 worker.
 */
export const finishSucceededSql = ({ table }: LedgerNames): string => `
with closed as (
  delete from ${table.work} w
  using (
    select id, token, to_timestamp(started_s) as started, to_timestamp(ended_s) as ended, result
    from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::float8[], $5::text[])
      as u(id, token, started_s, ended_s, result)
  ) g
  where w.execution_id = any (${givenIds(1)})
    and w.execution_id = g.id
    and w.lease_token = g.token
    and ${isLeased('w')}
    and w.cancel_requested_at is null
  returning
    g.id, g.token, g.started, g.ended, g.result, w.attempt, w.lost_leases, w.first_started_at, w.concurrency_key,
    w.processed, w.failed, w.skipped, w.processed_before, w.failed_before, w.skipped_before
),
ending as (
  insert into ${table.outcomes} (
    execution_id, state, attempts, lost_leases, lease_token, first_started_at, started_at, finished_at,
    processed, failed, skipped, result)
  select
    id, 'succeeded', attempt, lost_leases, token, coalesce(first_started_at, started), started, ended,
    processed, failed, skipped, result::jsonb
  from closed
),
tried as (
  insert into ${table.attempts} (
    execution_id, lease_token, attempt, worker_id, started_at, finished_at, outcome, processed, failed, skipped)
  select
    id, token, attempt, $6::text, started, ended, 'succeeded',
    nullif(processed - coalesce(processed_before, 0), 0), nullif(failed - coalesce(failed_before, 0), 0),
    nullif(skipped - coalesce(skipped_before, 0), 0)
  from closed
)
select case
  when (select count(*) = cardinality($1::bigint[]) and count(concurrency_key) = 0 from closed) then null
  else (select coalesce(json_agg(json_build_object('id', id::text, 'freed_key', concurrency_key)), '[]') from closed)
end as recorded`;
