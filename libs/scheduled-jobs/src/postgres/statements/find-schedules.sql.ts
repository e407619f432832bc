import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface ScheduleRow {
  readonly schedule_name: string;
  readonly job_name: string;
  readonly version: number;
  readonly cursor_at: Date;
  readonly next_at: Date | null;
  readonly last_error: string | null;
  readonly retry_at: Date | null;
  readonly expression: string;
  readonly time_zone: string;
  readonly shape: Readonly<Record<string, unknown>>;
  readonly behind_ms: number | null;
  readonly last_id: string | null;
  readonly last_period: string | null;
  readonly last_scheduled_for: Date | null;
}

/**
 * Lists schedules with their newest version and newest recorded occurrence, by name.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedules_pk, schedule_versions_pk, executions_browse.
 * Params: $1 schedule name (null = all), $2 now.
 */
export const findSchedulesSql = ({ table }: LedgerNames): string => `
select
  s.schedule_name, s.job_name, s.version, s.cursor_at, s.next_at, s.last_error, s.retry_at, v.expression, v.time_zone,
  v.shape,
  case when s.next_at <= ${boundNow(2)} then floor(extract(epoch from ${boundNow(2)} - s.next_at) * 1000)::float8 end as behind_ms,
  last.id::text as last_id, last.period as last_period, last.scheduled_for as last_scheduled_for
from ${table.schedules} s
join ${table.schedule_versions} v on v.schedule_name = s.schedule_name and v.version = s.version
left join lateral (
  select e.id, e.period, e.scheduled_for
  from ${table.executions} e
  where e.job_name = s.job_name and e.trigger = 'schedule'
  order by e.scheduled_for desc, e.id desc
  limit 1
) last on true
where $1::text is null or s.schedule_name = $1
order by s.schedule_name`;
