import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { keyHash } from './key-hash.js';
import { WHERE_WON, withLockTimeout, wonKeys } from './won-keys.js';

export interface InsertedRow {
  /** Position in the input, from 1. */
  readonly ord: number;
  readonly id: string;
  readonly key: string;
}

const NOW = boundNow(18);

/**
 * Inserts executions with their work, or with their outcome when they are born skipped; a key used before gives no row.
 * What the stored overlap policy of its job may drop while it waits is elective; backfilled work never is.
 *
 * Fenced: no, it is the caller's or the tick's own fact.
 * Locks: keys in the order of their hashes (two callers with the same keys in any order cannot deadlock), then new rows.
 * Index: keys_pk.
 * Params: $1 keys (null = no deduplication), $2 jobs, $3 periods, $4 interval starts, $5 interval ends, $6 nominal times,
 * $7 run times, $8 queues, $9 priorities, $10 payloads, $11 concurrency keys, $12 attempts allowed, $13 lease ms,
 * $14 deadline ms, $15 triggers, $16 actors, $17 skip reasons, $18 now, $19 channel to send a hint on (null = none),
 * $20 backfill that all belong to (null = none), $21 lock timeout for the rest of the transaction, ms (null = as it is),
 * $22 trace parents.
 * Instants made here are cut to milliseconds, so that they equal what JavaScript reads back.
 */
export const insertExecutionsSql = (names: LedgerNames): string => `
with given as materialized (
  select
    nextval('${names.executionIds}') as id,
    u.ord, u.key, u.job_name, u.period, u.interval_start, u.interval_end,
    coalesce(u.scheduled_for, u.run_at, date_trunc('milliseconds', ${NOW})) as scheduled_for,
    coalesce(u.run_at, u.scheduled_for, date_trunc('milliseconds', ${NOW})) as run_at,
    u.queue, u.priority, u.payload, u.concurrency_key, u.max_attempts, u.lease_ms, u.deadline_ms, u.trigger, u.actor, u.skip,
    u.trace_parent,
    case when u.key is not null then ${keyHash('u.key')} end as key_hash
  from unnest(
    $1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[],
    $8::text[], $9::smallint[], $10::text[], $11::text[], $12::int[], $13::int[], $14::bigint[], $15::text[], $16::text[],
    $17::text[], $22::text[]
  ) with ordinality as u(
    key, job_name, period, interval_start, interval_end, scheduled_for, run_at,
    queue, priority, payload, concurrency_key, max_attempts, lease_ms, deadline_ms, trigger, actor,
    skip, trace_parent, ord)
  ${withLockTimeout(21)}
),
${wonKeys(names)},
accepted as materialized (
  select
    id, ord, coalesce(key, job_name || ':id:' || id) as key, job_name, period, interval_start, interval_end, scheduled_for,
    run_at, queue, priority, payload, concurrency_key, max_attempts, lease_ms, deadline_ms, trigger, actor, skip,
    trace_parent
  from given
  ${WHERE_WON}
),
fact as (
  insert into ${names.table.executions} (
    id, key, job_name, period, interval_start, interval_end, scheduled_for, queue, priority, max_attempts, concurrency_key,
    payload, trigger, actor, created_at, backfill_id, trace_parent)
  overriding system value
  select
    id, key, job_name, period, interval_start, interval_end, scheduled_for, queue, priority, max_attempts, concurrency_key,
    payload::jsonb, trigger, actor, ${NOW}, $20::bigint, trace_parent
  from accepted
),
job as (
  insert into ${names.table.work} (
    execution_id, job_name, queue, priority, run_at, phase, max_attempts, lease_ms, deadline_at, concurrency_key,
    elective)
  select
    id, job_name, queue, priority, run_at,
    case when run_at > ${NOW} then 'delayed' when concurrency_key is null then 'ready' else 'waiting' end,
    max_attempts, lease_ms, greatest(run_at, ${NOW}) + deadline_ms * interval '1 millisecond', concurrency_key,
    concurrency_key is not null and trigger <> 'backfill' and job_name = any (array(
      select name from ${names.table.jobs} where overlap in ('skip', 'queue-latest', 'replace')))
  from accepted
  where skip is null
),
born_ended as (
  insert into ${names.table.outcomes} (execution_id, state, reason, finished_at)
  select id, 'skipped', skip, ${NOW}
  from accepted
  where skip is not null
)
select ord::int as ord, id::text as id, key, (select pg_notify($19, '') where $19::text is not null)::text as hint
from accepted
order by ord`;
