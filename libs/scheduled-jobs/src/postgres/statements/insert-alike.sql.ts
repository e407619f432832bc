import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

const NOW = boundNow(11);

/**
 * Inserts executions that have no key and differ in nothing but payload and time, the usual case: half the planning of the
 * ordinary insert, and a quarter less work a row. They have no concurrency key, period or interval and are not born skipped.
 * Gives the columns of the ordinary insert.
 *
 * Fenced: no, it is the caller's own fact.
 * Locks: new rows.
 * Index: none.
 * Params: $1 job, $2 queue, $3 priority, $4 attempts allowed, $5 lease ms, $6 deadline ms, $7 trigger, $8 actor, $9 payloads,
 * $10 nominal times, $11 now, $12 channel to send a hint on (null = none), $13 trace parent.
 */
export const insertAlikeSql = ({ table, executionIds }: LedgerNames): string => `
with given as materialized (
  select
    nextval('${executionIds}') as id, u.ord, u.payload,
    coalesce(u.scheduled_for, date_trunc('milliseconds', ${NOW})) as run_at
  from unnest($9::text[], $10::timestamptz[]) with ordinality as u(payload, scheduled_for, ord)
),
fact as (
  insert into ${table.executions} (
    id, key, job_name, scheduled_for, queue, priority, max_attempts, payload, trigger, actor, created_at,
    trace_parent)
  overriding system value
  select
    id, $1::text || ':id:' || id, $1::text, run_at, $2::text, $3::smallint, $4::int, payload::jsonb, $7::text, $8::text,
    ${NOW}, $13::text
  from given
),
job as (
  insert into ${table.work} (execution_id, job_name, queue, priority, run_at, phase, max_attempts, lease_ms, deadline_at)
  select
    id, $1::text, $2::text, $3::smallint, run_at, case when run_at > ${NOW} then 'delayed' else 'ready' end,
    $4::int, $5::int, greatest(run_at, ${NOW}) + $6::bigint * interval '1 millisecond'
  from given
)
select
  ord::int as ord, id::text as id, $1::text || ':id:' || id as key,
  (select pg_notify($12, '') where $12::text is not null)::text as hint
from given
order by ord`;
