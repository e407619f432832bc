import type { LedgerNames } from '../ledger-names.js';

/**
 * Adds counts, moves a checkpoint and records a failed item together with a run's transaction: no row = the lease is lost.
 *
 * Fenced: it is the fence: id, token and leased. The last statement before the commit.
 * Locks: the work row (waits only for short statements), then rows of checkpoints and items that no other lease writes.
 * Index: work_pk, checkpoints_pk, items_pk.
 * Params: $1 id, $2 token, $3 processed, $4 failed, $5 skipped, $6 items name (null = no checkpoint), $7 last key as JSON,
 * $8 done, $9 failures, $10 key of a failed item of these items (null = none), $11 its error's class, $12 code, $13 message,
 * $14 stack, $15 fingerprint, $16 whether that key is a number, $17 how the set is frozen (null = not), $18 how many of the items
 * were counted as failed before this attempt: they were failures of another one, so that this one has not undone its own.
 */
export const commitWithRunSql = ({ table }: LedgerNames): string => `
with fenced as (
  update ${table.work}
  set
    processed = nullif(coalesce(processed, 0) + $3::bigint, 0),
    failed = nullif(greatest(coalesce(failed, 0) - $18::bigint, 0) + $4::bigint, 0),
    failed_before = nullif(greatest(coalesce(failed_before, 0) - $18::bigint, 0), 0),
    skipped = nullif(coalesce(skipped, 0) + $5::bigint, 0)
  where execution_id = $1::bigint and lease_token = $2::bigint and lease_until is not null
  returning execution_id, lease_token, cancel_requested_at is not null as cancel
),
reached as (
  insert into ${table.checkpoints} (execution_id, items_name, after_key, done, failures, lease_token, updated_at, frozen)
  select execution_id, $6::text, $7::json, $8::boolean, $9::int, lease_token, now(), $17::text
  from fenced
  where $6::text is not null
  on conflict (execution_id, items_name) do update
  set
    after_key = excluded.after_key, done = excluded.done, failures = excluded.failures,
    lease_token = excluded.lease_token, updated_at = excluded.updated_at, frozen = excluded.frozen
),
missed as (
  insert into ${table.items} (
    execution_id, items_name, item_key, lease_token, failed_at,
    error_class, error_code, error_message, error_stack, error_fingerprint, is_number)
  select
    execution_id, $6::text, $10::text, lease_token, now(),
    $11::text, $12::text, $13::text, $14::text, $15::text, $16::boolean
  from fenced
  where $10::text is not null
  on conflict (execution_id, items_name, item_key) do update
  set
    lease_token = excluded.lease_token, failed_at = excluded.failed_at, error_class = excluded.error_class,
    error_code = excluded.error_code, error_message = excluded.error_message, error_stack = excluded.error_stack,
    error_fingerprint = excluded.error_fingerprint
)
select cancel from fenced`;
