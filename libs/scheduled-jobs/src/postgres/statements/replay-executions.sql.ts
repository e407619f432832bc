import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isMeantByReplay } from './replay-filter.js';
import { givenIds } from './work-lookup.js';

export interface ReplayedRow {
  readonly id: string;
  readonly key: string;
  readonly run_at: Date;
}

const NOW = boundNow(2);

/**
 * Takes the endings of executions back, so that they run again: lease token, attempt numbers and lost leases go on; the
 * attempts allowed and the deadline begin anew. Counts stay where a walk over items has checkpoints or steps are finished,
 * because it goes on there; a success begins from the start. What has changed since it was chosen, and what another
 * statement holds, is left alone and not in the answer.
 *
 * Fenced: by the lock of the outcome. An outcome is there only while no work is, and each has one replay.
 * Locks: outcomes by id, skip locked; never waits. Then new rows of work and audit.
 * Index: outcomes_pk, executions_pk, jobs_pk, checkpoints_pk, steps_pk. The state is looked at under the lock.
 * Params: $1 ids, $2 now, $3 whether successes, too, $4 actor, $5 reason, $6 first run time (null = now), $7 milliseconds from
 * one run time to the next, $8 whether the payload is corrected, $9 payload, $10 concurrency key made from it, $11 what the
 * audit keeps of the former payload; from $12 on the filter that chose them.
 */
export const replayExecutionsSql = ({ table }: LedgerNames): string => `
with meant as materialized (
  select o.execution_id
  from ${table.outcomes} o
  join ${table.executions} e on e.id = o.execution_id
  where o.execution_id = any (${givenIds(1)})
    and (o.state <> 'succeeded' or $3::boolean)
    and ${isMeantByReplay(12)}
  order by o.execution_id
  for update of o skip locked
),
taken_back as (
  delete from ${table.outcomes} o
  where o.execution_id = any (array(select execution_id from meant))
  returning
    o.execution_id, o.state, o.attempts, o.lost_leases, o.lease_token, o.first_started_at, o.processed, o.failed, o.skipped
),
corrected as (
  update ${table.executions} e
  set payload = $9::jsonb, concurrency_key = $10
  where $8::boolean and e.id = any (array(select execution_id from meant))
),
no_checkpoints as (
  delete from ${table.checkpoints}
  where execution_id = any (array(select execution_id from taken_back where state = 'succeeded'))
),
no_items as (
  delete from ${table.items}
  where execution_id = any (array(select execution_id from taken_back where state = 'succeeded'))
),
no_frozen_items as (
  delete from ${table.frozen_items}
  where execution_id = any (array(select execution_id from taken_back where state = 'succeeded'))
),
no_steps as (
  delete from ${table.steps}
  where execution_id = any (array(select execution_id from taken_back where state = 'succeeded'))
),
again as materialized (
  select
    e.id, e.key, e.job_name, e.queue, e.priority, e.max_attempts,
    t.state, t.attempts, t.lost_leases, t.lease_token, t.first_started_at,
    case when $8::boolean then $10::text else e.concurrency_key end as concurrency_key,
    date_trunc('milliseconds', greatest($6::timestamptz, ${NOW}))
      + (row_number() over (order by e.id) - 1) * $7::float8 * interval '1 millisecond' as run_at,
    coalesce(j.lease_ms, 30000) as lease_ms,
    coalesce(j.deadline_ms, 86400000) as deadline_ms,
    case when walk.goes_on then t.processed end as processed,
    case when walk.goes_on then t.failed end as failed,
    case when walk.goes_on then t.skipped end as skipped
  from taken_back t
  join ${table.executions} e on e.id = t.execution_id
  left join ${table.jobs} j on j.name = e.job_name
  cross join lateral (
    select t.state <> 'succeeded' and exists (
      select 1 from ${table.checkpoints} c where c.execution_id = t.execution_id
      union all
      select 1 from ${table.steps} s where s.execution_id = t.execution_id
    ) as goes_on
  ) walk
),
work_again as (
  insert into ${table.work} (
    execution_id, job_name, queue, priority, run_at, phase, attempt, max_attempts, lease_ms, lease_token, first_started_at,
    lost_leases, concurrency_key, deadline_at, processed, failed, skipped)
  select
    id, job_name, queue, priority, run_at,
    case when run_at > ${NOW} then 'delayed' when concurrency_key is null then 'ready' else 'waiting' end,
    attempts, attempts + max_attempts, lease_ms, lease_token, first_started_at,
    lost_leases, concurrency_key, run_at + deadline_ms * interval '1 millisecond', processed, failed, skipped
  from again
),
noted as (
  insert into ${table.audit} (at, action, subject, job_name, execution_id, actor, reason, details)
  select
    ${NOW}, 'replay', key, job_name, id, $4, $5,
    case
      when $8::boolean then json_build_object('state', state, 'attempts', attempts, 'formerPayload', $11::json)
      else json_build_object('state', state, 'attempts', attempts)
    end
  from again
)
select a.id::text as id, key, run_at
from again a
order by a.id`;
