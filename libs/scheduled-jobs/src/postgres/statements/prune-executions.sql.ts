import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isOld, keptOfJob, mayBeOld } from './retention.js';

export interface PrunedRow {
  readonly removed: number;
  readonly walked: number;
  /** Of the last execution it looked at. */
  readonly scheduled_for: Date | null;
  readonly id: string | null;
}

const NOW = boundNow(5);

/**
 * Looks at the next executions of a job by nominal time and removes those that ended longer ago than their state is kept;
 * a state without a duration is kept. The keys stay: what was executed once is never executed again; and so does what people
 * did, but not what the audit notes of each execution that its overlap policy replaced: of these there is no end.
 *
 * Fenced: by the lock of the outcome: whoever asks for the execution again needs that row, and either comes first, so that
 * it is not picked, or finds nothing.
 * Locks: outcomes by id, skip locked; never waits. Then what belongs to them.
 * Index: executions_browse from the position on: what is kept is passed once a walk, not once a batch;
 * outcomes_pk, audit_execution, and the primary keys that begin with the execution.
 * Params: $1 job, $2 and $3 nominal time and id of the last one looked at (null = none), $4 how many to look at, $5 now.
 */
export const pruneExecutionsSql = (names: LedgerNames): string => `
with ${keptOfJob(names)},
walked as materialized (
  select e.id, e.scheduled_for
  from ${names.table.executions} e
  where e.job_name = $1
    and (e.scheduled_for, e.id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::bigint, 0))
    and ${mayBeOld(NOW)}
  order by e.scheduled_for, e.id
  limit $4
),
old as materialized (
  select o.execution_id
  from ${names.table.outcomes} o
  where o.execution_id = any (array(select id from walked))
    and ${isOld(NOW)}
  order by o.execution_id
  for update skip locked
),
no_attempts as (
  delete from ${names.table.attempts} where execution_id = any (array(select execution_id from old))
),
no_items as (
  delete from ${names.table.items} where execution_id = any (array(select execution_id from old))
),
no_checkpoints as (
  delete from ${names.table.checkpoints} where execution_id = any (array(select execution_id from old))
),
no_steps as (
  delete from ${names.table.steps} where execution_id = any (array(select execution_id from old))
),
no_frozen_items as (
  delete from ${names.table.frozen_items} where execution_id = any (array(select execution_id from old))
),
no_logs as (
  delete from ${names.table.logs} where execution_id = any (array(select execution_id from old))
),
no_replacements as (
  delete from ${names.table.audit}
  where execution_id = any (array(select execution_id from old))
    and details ->> 'replacedBy' is not null
),
no_outcomes as (
  delete from ${names.table.outcomes} where execution_id = any (array(select execution_id from old))
),
no_executions as (
  delete from ${names.table.executions} where id = any (array(select execution_id from old))
)
select
  (select count(*)::int from old) as removed,
  (select count(*)::int from walked) as walked,
  last_one.scheduled_for,
  last_one.id::text as id
from (select) as always
left join (
  select scheduled_for, id
  from walked
  order by scheduled_for desc, id desc
  limit 1
) last_one on true`;
