import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface PrunedRow {
  readonly removed: number;
  readonly walked: number;
  /** Of the last execution it looked at. */
  readonly scheduled_for: Date | null;
  readonly id: string | null;
}

const NOW = boundNow(5);
const MS = `interval '1 millisecond'`;

/**
 * Looks at the next executions of a job by nominal time and removes those that ended longer ago than their state is kept;
 * a state without a duration is kept. The keys stay: what was executed once is never executed again.
 *
 * Fenced: by the lock of the outcome: whoever asks for the execution again needs that row, and either comes first, so that
 * it is not picked, or finds nothing.
 * Locks: outcomes by id, skip locked; never waits. Then what belongs to them.
 * Index: executions_browse backwards from the position on: what is kept is passed once a walk, not once a batch;
 * outcomes_pk, and the primary keys that begin with the execution.
 * Params: $1 job, $2 and $3 nominal time and id of the last one looked at (null = none), $4 how many to look at, $5 now.
 */
export const pruneExecutionsSql = ({ table }: LedgerNames): string => `
with kept as materialized (
  select retention, (select min(ms::bigint) from jsonb_each_text(retention) as by_state(state, ms)) as min_ms
  from ${table.jobs}
  where name = $1
),
walked as materialized (
  select e.id, e.scheduled_for
  from ${table.executions} e
  where e.job_name = $1
    and (e.scheduled_for, e.id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::bigint, 0))
    and e.scheduled_for < (select ${NOW} - min_ms * ${MS} from kept)
  order by e.scheduled_for, e.id
  limit $4
),
old as materialized (
  select o.execution_id
  from ${table.outcomes} o
  where o.execution_id = any (array(select id from walked))
    and o.finished_at < ${NOW} - ((select retention from kept) ->> o.state)::bigint * ${MS}
  order by o.execution_id
  for update skip locked
),
no_attempts as (
  delete from ${table.attempts} where execution_id = any (array(select execution_id from old))
),
no_items as (
  delete from ${table.items} where execution_id = any (array(select execution_id from old))
),
no_checkpoints as (
  delete from ${table.checkpoints} where execution_id = any (array(select execution_id from old))
),
no_steps as (
  delete from ${table.steps} where execution_id = any (array(select execution_id from old))
),
no_frozen_items as (
  delete from ${table.frozen_items} where execution_id = any (array(select execution_id from old))
),
no_logs as (
  delete from ${table.logs} where execution_id = any (array(select execution_id from old))
),
no_outcomes as (
  delete from ${table.outcomes} where execution_id = any (array(select execution_id from old))
),
no_executions as (
  delete from ${table.executions} where id = any (array(select execution_id from old))
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
