import type { LedgerNames } from '../ledger-names.js';
import type { FinishedRow } from './finish-attempts.sql.js';
import { givenIds, isLeased } from './work-lookup.js';

export type SucceededRow = Omit<FinishedRow, 'disposition'>;

/**
 * Records plain successes: nothing uncommitted, no note. Work that was asked to stop is left for the full statement.
 *
 * Fenced: id, token, leased and not asked to stop.
 * Locks: work rows; waits for them, which only short statements hold. Then new rows of outcomes and attempts.
 * Index: work_pk.
 * Params: $1 ids, $2 tokens, $3 starts, $4 ends, $5 results (null = none has one), $6 worker.
 */
export const finishSucceededSql = ({ table }: LedgerNames): string => `
with closed as (
  delete from ${table.work} w
  using unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::text[])
    as g(id, token, started, ended, result)
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
select id::text as id, concurrency_key as freed_key from closed`;
