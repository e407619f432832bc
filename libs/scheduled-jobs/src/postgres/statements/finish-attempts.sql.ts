import type { Disposition } from '../../core/execution/attempt-record.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { givenIds, isLeased } from './work-lookup.js';

export interface FinishedRow {
  readonly id: string;
  readonly disposition: Disposition;
  readonly freed_key: string | null;
}

/**
 * Records ended attempts of any kind: the end of the execution, the next attempt, or the return of an unstarted claim. A
 * cancel request wins over what the worker wants. Calls that do not count (not called, interrupted, deferred) give their
 * number back.
 *
 * Fenced: id, token and leased.
 * Locks: work rows; waits for them, which only short statements hold. Then new rows of outcomes and attempts.
 * Index: work_pk. Input travels along through returning: joining it back would compare every row with every other.
 * Params: $1 ids, $2 tokens, $3 dispositions, $4 outcomes, $5 starts, $6 ends, $7 next run times, $8 reasons, $9 results,
 * $10 result notes, $11 processed, $12 failed, $13 skipped, $14 error classes, $15 codes, $16 messages, $17 stacks,
 * $18 fingerprints, $19 now, $20 worker, $21 error kinds.
 */
export const finishAttemptsSql = ({ table }: LedgerNames): string => `
with given as (
  select
    g.id, g.token, g.disposition, g.outcome, g.started, g.ended, g.run_at, g.reason, g.result, g.result_note,
    g.processed, g.failed, g.skipped, g.error_class, g.error_code, g.error_message, g.error_stack, g.error_fingerprint,
    g.error_kind, g.disposition in ('retry', 'released') as goes_back,
    case when g.outcome is null or g.outcome in ('interrupted', 'deferred') then 1 else 0 end as uncounted
  from unnest(
    $1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::text[],
    $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[], $15::text[], $16::text[],
    $17::text[], $18::text[], $21::text[]
  ) as g(
    id, token, disposition, outcome, started, ended, run_at, reason,
    result, result_note, processed, failed, skipped, error_class, error_code, error_message,
    error_stack, error_fingerprint, error_kind)
),
closed as (
  delete from ${table.work} w
  using given g
  where w.execution_id = any (${givenIds(1)})
    and w.execution_id = g.id
    and w.lease_token = g.token
    and ${isLeased('w')}
    and (not g.goes_back or w.cancel_requested_at is not null)
  returning
    g.id, g.token, g.outcome, g.started, g.ended, g.result, g.result_note, g.error_class, g.error_code, g.error_message,
    g.error_stack, g.error_fingerprint, g.error_kind, g.uncounted, w.attempt, w.lost_leases, w.first_started_at, w.concurrency_key,
    case when w.cancel_requested_at is null then g.disposition else 'canceled' end as state,
    case when w.cancel_requested_at is null then g.reason end as reason,
    coalesce(w.processed, 0) + g.processed as processed, coalesce(w.processed_before, 0) as processed_before,
    coalesce(w.failed, 0) + g.failed as failed, coalesce(w.failed_before, 0) as failed_before,
    coalesce(w.skipped, 0) + g.skipped as skipped, coalesce(w.skipped_before, 0) as skipped_before
),
back as (
  update ${table.work} w
  set
    phase = case when g.run_at > ${boundNow(19)} then 'delayed' else 'ready' end,
    run_at = coalesce(g.run_at, w.run_at),
    retrying = w.retrying or (g.disposition = 'retry' and g.outcome <> 'interrupted'),
    attempt = w.attempt - g.uncounted,
    losses_in_row = case when g.outcome is null then w.losses_in_row else 0 end,
    lease_until = null, worker_id = null, started_at = null, stage = null, percent = null,
    first_started_at = coalesce(w.first_started_at, g.started)
  from given g
  where w.execution_id = any (${givenIds(1)})
    and w.execution_id = g.id
    and w.lease_token = g.token
    and ${isLeased('w')}
    and g.goes_back
    and w.cancel_requested_at is null
  returning
    g.id, g.token, g.disposition, g.outcome, g.started, g.ended, g.error_class, g.error_code, g.error_message, g.error_stack,
    g.error_kind, w.attempt + g.uncounted as attempt,
    coalesce(w.processed, 0) + g.processed - coalesce(w.processed_before, 0) as processed,
    coalesce(w.failed, 0) + g.failed - coalesce(w.failed_before, 0) as failed,
    coalesce(w.skipped, 0) + g.skipped - coalesce(w.skipped_before, 0) as skipped
),
tried as (
  insert into ${table.attempts} (
    execution_id, lease_token, attempt, worker_id, started_at, finished_at, outcome, error_class, error_code, error_message,
    error_stack, error_kind, processed, failed, skipped)
  select
    id, token, attempt, $20::text, started, ended, outcome, error_class, error_code, error_message,
    error_stack, error_kind, nullif(processed - processed_before, 0), nullif(failed - failed_before, 0), nullif(skipped - skipped_before, 0)
  from closed
  where outcome is not null
  union all
  select
    id, token, attempt, $20::text, started, ended, outcome, error_class, error_code, error_message,
    error_stack, error_kind, nullif(processed, 0), nullif(failed, 0), nullif(skipped, 0)
  from back
  where outcome is not null
),
ending as (
  insert into ${table.outcomes} (
    execution_id, state, reason, attempts, lost_leases, lease_token, first_started_at, started_at, finished_at,
    processed, failed, skipped, result, result_note, error_class, error_code, error_fingerprint, error_kind)
  select
    id, state, reason, attempt - uncounted, lost_leases, token, coalesce(first_started_at, started), started, ended,
    nullif(processed, 0), nullif(failed, 0), nullif(skipped, 0), result::jsonb, result_note, error_class, error_code,
    error_fingerprint, error_kind
  from closed
)
select id::text as id, state as disposition, concurrency_key as freed_key from closed
union all
select id::text, disposition, null from back`;
