import type { LedgerNames } from '../ledger-names.js';

export interface DeadLetterGroupRow {
  readonly error_fingerprint: string | null;
  readonly error_class: string | null;
  readonly error_code: string | null;
  readonly message: string | null;
  readonly count: number;
  readonly jobs: readonly string[];
  readonly first_at: Date;
  readonly last_at: Date;
  readonly example_key: string;
  /** Dead letters that were looked at, before the filter. */
  readonly seen: number;
}

/**
 * Groups the newest dead letters by kind of error, the largest group first, each with the newest one as its example.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: outcomes_dead, attempts_pk; executions_pk, once per dead letter: with a limit it is never turned into a hash of a whole
 * table.
 * Params: $1 job, $2 queue (null = any), $3 dead letters to look at, $4 groups, $5 jobs of a group, $6 characters of a message.
 */
export const groupDeadLettersSql = ({ table }: LedgerNames): string => `
with dead as materialized (
  select o.execution_id, o.finished_at, o.error_fingerprint, o.error_class, o.error_code
  from ${table.outcomes} o
  where o.state = 'failed' and o.acknowledged_at is null
  order by o.execution_id desc
  limit $3::int
),
grouped as materialized (
  select
    d.error_fingerprint, d.error_class, d.error_code, count(*)::int as count, max(d.execution_id) as example,
    min(d.finished_at) as first_at, max(d.finished_at) as last_at,
    (array_agg(distinct e.job_name order by e.job_name))[1:$5::int] as jobs
  from dead d
  cross join lateral (select x.job_name, x.queue from ${table.executions} x where x.id = d.execution_id limit 1) e
  where ($1::text is null or e.job_name = $1) and ($2::text is null or e.queue = $2)
  group by d.error_fingerprint, d.error_class, d.error_code
  order by count(*) desc, max(d.execution_id) desc
  limit $4::int
)
select
  g.error_fingerprint, g.error_class, g.error_code, g.count, to_json(g.jobs) as jobs, g.first_at, g.last_at,
  left(split_part(tried.error_message, E'\\n', 1), $6::int) as message,
  (select e.key from ${table.executions} e where e.id = g.example) as example_key,
  (select count(*)::int from dead) as seen
from grouped g
left join lateral (
  select a.error_message
  from ${table.attempts} a
  where a.execution_id = g.example
  order by a.lease_token desc
  limit 1
) tried on true
order by g.count desc, g.example desc`;
