import type { StatisticsBucket } from '../../core/ports/statistics-reader.js';
import type { LedgerNames } from '../ledger-names.js';

/** p50, p95, p99 and the longest. */
type Points = readonly [number, number, number, number];

/** p50 and p95. */
type BucketPoints = readonly [number, number];

export interface StatisticsRow {
  readonly rows: number;
  readonly oldest_at: Date | null;
  readonly succeeded: number;
  readonly completed_with_errors: number;
  readonly failed: number;
  readonly canceled: number;
  readonly skipped: number;
  readonly attempts: number;
  readonly retries: number;
  readonly lost_leases: number;
  readonly processed: number;
  readonly failed_items: number;
  readonly skipped_items: number;
  readonly busy_ms: number;
  readonly duration: Points | null;
  readonly delay: Points | null;
  readonly has_more: boolean;
  readonly buckets: readonly BucketRow[];
}

/** Buckets without a row are left out; `n` counts them from the beginning of the window. */
export interface BucketRow extends Omit<
  StatisticsBucket,
  'from' | 'p50Ms' | 'p95Ms' | 'startDelayP50Ms' | 'startDelayP95Ms'
> {
  readonly n: number;
  readonly duration: BucketPoints | null;
  readonly delay: BucketPoints | null;
}

const RAN = `('succeeded', 'completed_with_errors', 'failed')`;
const SHARES = 'array[0.5, 0.95, 0.99, 1]';

/** Clocks of two servers may disagree, and a span is never negative; null = it has not begun or not ended. */
const msBetween = (start: string, end: string): string =>
  `case when ${end} >= ${start} then date_part('epoch', ${end} - ${start}) * 1000 when ${end} < ${start} then 0 end`;

const countOf = (state: string): string => `(count(*) filter (where state = '${state}'))::int`;

/**
 * What became of the newest executions of a job in a window of nominal time. It looks at executions and outcomes alone,
 * however many attempts there were.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_browse; outcomes_pk, once per execution: with a limit it is never turned into a hash of a whole table.
 * Params: $1 job name, $2 from, $3 to, $4 executions to look at, $5 milliseconds of a bucket.
 */
export const jobStatisticsSql = ({ table }: LedgerNames): string => `
with seen as materialized (
  select
    x.scheduled_for, o.state, o.attempts, o.lost_leases, o.processed, o.failed, o.skipped,
    case when o.state in ${RAN} then ${msBetween('o.started_at', 'o.finished_at')} end as duration_ms,
    ${msBetween('x.scheduled_for', 'o.first_started_at')} as delay_ms
  from (
    select id, scheduled_for
    from ${table.executions}
    where job_name = $1 and scheduled_for >= $2::timestamptz and scheduled_for < $3::timestamptz
    order by scheduled_for desc, id desc
    limit $4::int
  ) x
  left join lateral (select * from ${table.outcomes} where execution_id = x.id limit 1) o on true
)
select
  count(*)::int as rows, min(scheduled_for) as oldest_at,
  ${countOf('succeeded')} as succeeded, ${countOf('completed_with_errors')} as completed_with_errors,
  ${countOf('failed')} as failed, ${countOf('canceled')} as canceled, ${countOf('skipped')} as skipped,
  coalesce(sum(attempts), 0)::float8 as attempts, coalesce(sum(greatest(attempts - 1, 0)), 0)::float8 as retries,
  coalesce(sum(lost_leases), 0)::float8 as lost_leases, coalesce(sum(processed), 0)::float8 as processed,
  coalesce(sum(failed), 0)::float8 as failed_items, coalesce(sum(skipped), 0)::float8 as skipped_items,
  coalesce(sum(duration_ms) filter (where processed > 0), 0)::float8 as busy_ms,
  to_json(percentile_disc(${SHARES}) within group (order by duration_ms)) as duration,
  to_json(percentile_disc(${SHARES}) within group (order by delay_ms)) as delay,
  count(*) >= $4::int and exists (
    select 1
    from ${table.executions}
    where job_name = $1 and scheduled_for >= $2::timestamptz and scheduled_for < $3::timestamptz
    offset $4::int
  ) as has_more,
  (
    select coalesce(json_agg(b), '[]')
    from (
      select
        floor(date_part('epoch', scheduled_for - $2::timestamptz) * 1000 / $5::float8)::int as n,
        ${countOf('succeeded')} as succeeded, ${countOf('completed_with_errors')} as "completedWithErrors",
        ${countOf('failed')} as failed, ${countOf('canceled')} as canceled, ${countOf('skipped')} as skipped,
        to_json(percentile_disc(array[0.5, 0.95]) within group (order by duration_ms)) as duration,
        to_json(percentile_disc(array[0.5, 0.95]) within group (order by delay_ms)) as delay
      from seen
      group by 1
    ) b
  ) as buckets
from seen`;
