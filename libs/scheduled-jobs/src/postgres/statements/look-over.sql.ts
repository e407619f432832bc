import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isTicked } from './is-ticked.js';

export interface OverviewRow {
  readonly now: Date;
  /** Rows of work that were looked at for the next two. */
  readonly looked_at: number;
  readonly pending: number;
  readonly retrying: number;
  readonly running: number;
  readonly schedules: number;
  readonly paused: number;
  readonly disabled: number;
  readonly orphaned: number;
  readonly behind: number;
  readonly behind_names: readonly string[];
  readonly workers: number;
  readonly schedulers: number;
  readonly instances: number;
  readonly unhandled: readonly string[];
  readonly missed: readonly string[];
}

const NOW = boundNow(1);
const LOOKED_AT_ALERTS = 1_000;

/**
 * Counts what there is of everything. Pending and retrying work is counted among its first rows, which are all there are
 * unless there is a backlog.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_leased, work_held, schedule_versions_pk, suspensions_open, alerts_pk; tables of one row a schedule, job or
 * process are read as a whole, and the first rows of the work.
 * Params: $1 now, $2 rows of work to look at, $3 names of each kind.
 */
export const lookOverSql = (names: LedgerNames): string => {
  const { table } = names;
  return `
with standing as materialized (
  select
    s.schedule_name, s.next_at, v.shape ->> 'disabled' = 'true' as disabled, suspended.kinds,
    s.next_at <= ${NOW} - interval '1 minute' and ${isTicked(names)} as behind
  from ${table.schedules} s
  join ${table.schedule_versions} v on v.schedule_name = s.schedule_name and v.version = s.version
  cross join lateral (
    select array(select x.kind from ${table.suspensions} x where x.job_name = s.job_name and x.to_at is null) as kinds
  ) suspended
  where s.renamed_to is null
)
select
  ${NOW} as now, open.looked_at, open.pending, open.retrying, leased.running, s.*, i.*,
  (
    select coalesce(json_agg(x.schedule_name order by x.next_at, x.schedule_name), '[]')
    from (
      select schedule_name, next_at from standing where behind order by next_at, schedule_name limit $3::int
    ) x
  ) as behind_names,
  (
    select coalesce(json_agg(x.name order by x.name), '[]')
    from (
      select j.name
      from ${table.jobs} j
      where j.unhandled_since is not null
        and exists (select 1 from ${table.work} w where w.phase = 'held' and w.job_name = j.name)
      order by j.name
      limit $3::int
    ) x
  ) as unhandled,
  (
    select coalesce(json_agg(x.subject order by x.last_id desc), '[]')
    from (
      select a.subject, max(a.id) as last_id
      from (select * from ${table.alerts} order by id desc limit ${LOOKED_AT_ALERTS}) a
      where a.kind = 'missed-period' and a.opened_at > ${NOW} - interval '1 day'
      group by a.subject
      order by max(a.id) desc
      limit $3::int
    ) x
  ) as missed
from (
  select
    count(*)::int as looked_at,
    (count(*) filter (where phase <> 'leased' and not retrying))::int as pending,
    (count(*) filter (where phase <> 'leased' and retrying))::int as retrying
  from (select phase, retrying from ${table.work} limit $2::int) x
) open
cross join (
  select count(*)::int as running from (select 1 from ${table.work} where phase = 'leased' limit $2::int) x
) leased
cross join (
  select
    count(*)::int as schedules, (count(*) filter (where 'paused' = any (kinds)))::int as paused,
    (count(*) filter (where disabled))::int as disabled,
    (count(*) filter (where 'orphaned' = any (kinds)))::int as orphaned, (count(*) filter (where behind))::int as behind
  from standing
) s
cross join (
  select
    (count(*) filter (where 'worker' = any (roles)))::int as workers,
    (count(*) filter (where 'scheduler' = any (roles)))::int as schedulers, count(*)::int as instances
  from ${table.instances}
  where seen_at > ${NOW} - interval '2 minutes' and stopped_at is null
) i`;
};
