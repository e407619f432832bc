import type { LedgerNames } from '../ledger-names.js';

export interface AttemptDurationsRow {
  readonly job_name: string;
  readonly attempts: number;
  readonly p95_ms: number;
}

/**
 * How long the newest attempts of jobs took, of those that ran to an end of their own; no row for a job without any. Looks
 * at the newest 1,000 executions of each.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_browse, attempts_pk.
 * Params: $1 job names, $2 attempts per job.
 */
export const findAttemptDurationsSql = ({ table }: LedgerNames): string => `
select
  asked.job_name, count(*)::int as attempts,
  percentile_disc(0.95) within group (order by newest.duration_ms)::float8 as p95_ms
from unnest($1::text[]) as asked (job_name)
cross join lateral (
  select round(extract(epoch from a.finished_at - a.started_at) * 1000) as duration_ms
  from (
    select x.id, x.scheduled_for
    from ${table.executions} x
    where x.job_name = asked.job_name
    order by x.scheduled_for desc, x.id desc
    limit 1000
  ) e
  join ${table.attempts} a on a.execution_id = e.id
  where a.outcome in ('succeeded', 'completed_with_errors', 'failed', 'timed_out')
  order by e.scheduled_for desc, e.id desc, a.lease_token desc
  limit $2::int
) newest
group by asked.job_name`;
