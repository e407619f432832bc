import type { FinalState } from '../../core/execution/execution-state.js';
import type { OverlapPolicy } from '../../core/job/job-definition.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { executionColumns, joinLastAttempt, type ExecutionRow } from './execution-list.js';

interface ListedJob {
  readonly name: string;
  readonly scheduled: boolean;
  readonly renamed_to: string | null;
  readonly overlap: OverlapPolicy;
  readonly concurrency: number;
  readonly lease_ms: number;
  readonly deadline_ms: string;
  readonly retention: Readonly<Partial<Record<FinalState, number>>>;
  readonly start_within_ms: number | null;
  readonly runbook: string | null;
  readonly unhandled_since: Date | null;
  readonly paused_at: Date | null;
  readonly paused_by: string | null;
  readonly pause_reason: string | null;
  readonly dead: number;
  /** Of all jobs. */
  readonly dead_in_all: number;
}

/** A job and its newest execution that was due; without one, `id` is null and so is all that is its. */
export type ListedJobRow = ListedJob & (ExecutionRow | { readonly id: null });

/**
 * Lists jobs by name, with the newest execution of each that was due, and how many of the newest dead letters are its.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: jobs_pk, schedules_pk, suspensions_open, executions_browse, work_pk, outcomes_pk, attempts_pk, outcomes_dead,
 * executions_pk.
 * Params: $1 name (null = all), $2 now, $3 jobs, $4 dead letters that are counted.
 */
export const listJobsSql = (names: LedgerNames): string => {
  const { table } = names;
  return `
with dead as materialized (
  select o.execution_id
  from ${table.outcomes} o
  where o.state = 'failed' and o.acknowledged_at is null
  order by o.execution_id desc
  limit $4::int
),
counted as materialized (
  select e.job_name, count(*)::int as dead
  from ${table.executions} e
  where e.id = any (array(select execution_id from dead))
  group by e.job_name
)
select
  j.name, s.schedule_name is not null as scheduled, s.renamed_to, j.overlap, j.concurrency, j.lease_ms,
  j.deadline_ms::text as deadline_ms, j.retention, (j.alert ->> 'startWithinMs')::float8 as start_within_ms,
  j.alert ->> 'runbook' as runbook, j.unhandled_since,
  pause.from_at as paused_at, pause.actor as paused_by, pause.reason as pause_reason,
  coalesce((select c.dead from counted c where c.job_name = j.name), 0) as dead,
  (select count(*)::int from dead) as dead_in_all,
  last.*
from (
  select *
  from ${table.jobs}
  where $1::text is null or name = $1
  order by name
  limit $3::int
) j
left join ${table.schedules} s on s.schedule_name = j.name
left join ${table.suspensions} pause on pause.job_name = j.name and pause.kind = 'paused' and pause.to_at is null
left join lateral (
  select ${executionColumns(boundNow(2))}
  from (
    select x.*
    from ${table.executions} x
    where x.job_name = j.name and x.scheduled_for <= ${boundNow(2)}
    order by x.scheduled_for desc, x.id desc
    limit 1
  ) e
  left join ${table.work} w on w.execution_id = e.id
  left join ${table.outcomes} o on o.execution_id = e.id${joinLastAttempt(names)}
) last on true
order by j.name`;
};
