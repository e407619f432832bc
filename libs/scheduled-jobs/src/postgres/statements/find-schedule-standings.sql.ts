import type { SuspensionKind } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface ScheduleStandingRow {
  readonly schedule_name: string;
  readonly cursor_at: Date;
  /** Null = no period is recorded under its name. */
  readonly oldest_at: Date | null;
  readonly suspension: SuspensionKind | null;
  readonly suspended_from: Date | null;
  /** `until` as a text of ISO 8601; null = for ever. */
  readonly earlier_names: readonly { readonly name: string; readonly until: string | null }[];
  readonly now: Date;
}

/**
 * Reads where schedules stand that go on under their names, by name, with the names that they had before. One that is in
 * force itself was given to another job, when that job's first version began.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedules_pk, schedule_versions_pk, suspensions_open, executions_browse.
 * Params: $1 names (null = all), $2 behind this name, $3 limit, $4 now.
 */
export const findScheduleStandingsSql = ({ table }: LedgerNames): string => `
select
  s.schedule_name, s.cursor_at, ${boundNow(4)} as now,
  (
    select e.scheduled_for
    from ${table.executions} e
    where e.job_name = s.job_name and e.period is not null
    order by e.scheduled_for, e.id
    limit 1
  ) as oldest_at,
  suspension.kind as suspension, suspension.from_at as suspended_from,
  (
    select coalesce(json_agg(json_build_object('name', earlier.name, 'until', given.until) order by earlier.name), '[]')
    from unnest(s.earlier_names) as earlier(name)
    cross join lateral (
      select min(v.valid_from) as until
      from ${table.schedules} other
      join ${table.schedule_versions} v on v.schedule_name = other.schedule_name
      where other.schedule_name = earlier.name and other.renamed_to is null
    ) given
  ) as earlier_names
from ${table.schedules} s
left join lateral (
  select x.kind, x.from_at
  from ${table.suspensions} x
  where x.job_name = s.job_name and x.to_at is null
  order by x.kind = 'paused' desc
  limit 1
) suspension on true
where s.renamed_to is null
  and ($1::text[] is null or s.schedule_name = any ($1))
  and ($2::text is null or s.schedule_name > $2)
order by s.schedule_name
limit $3::int`;
