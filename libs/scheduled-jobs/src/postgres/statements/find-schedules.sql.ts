import type { SuspensionKind } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isTicked } from './is-ticked.js';

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
  readonly renamed_to: string | null;
  readonly kind: SuspensionKind | null;
  readonly from_at: Date | null;
  readonly to_at: Date | null;
  readonly catch_up: boolean | null;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly last_id: string | null;
  readonly last_period: string | null;
  readonly last_scheduled_for: Date | null;
}

const NOW = boundNow(2);

/**
 * Lists schedules with their newest version, their suspension and newest recorded occurrence, by name.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedules_pk, schedule_versions_pk, suspensions_open, executions_browse.
 * Params: $1 schedule name (null = all), $2 now, $3 name behind which the list goes on (null = from the start), $4 limit.
 */
export const findSchedulesSql = (names: LedgerNames): string => `
select
  s.schedule_name, s.job_name, s.version, s.cursor_at, s.next_at, s.last_error, s.retry_at, v.expression, v.time_zone,
  v.shape, s.renamed_to,
  case
    when s.next_at <= ${NOW} and ${isTicked(names)}
    then floor(extract(epoch from ${NOW} - s.next_at) * 1000)::float8
  end as behind_ms,
  suspension.kind, suspension.from_at, suspension.to_at, suspension.catch_up, suspension.actor, suspension.reason,
  last.id::text as last_id, last.period as last_period, last.scheduled_for as last_scheduled_for
from (
  select *
  from ${names.table.schedules}
  where ($1::text is null or schedule_name = $1) and ($3::text is null or schedule_name > $3)
  order by schedule_name
  limit $4::int
) s
join ${names.table.schedule_versions} v on v.schedule_name = s.schedule_name and v.version = s.version
left join lateral (
  select x.kind, x.from_at, x.to_at, x.catch_up, x.actor, x.reason
  from ${names.table.suspensions} x
  where x.job_name = s.job_name and x.to_at is null
  order by x.kind = 'paused' desc
  limit 1
) suspension on true
left join lateral (
  select e.id, e.period, e.scheduled_for
  from ${names.table.executions} e
  where e.job_name = s.job_name and e.trigger = 'schedule'
  order by e.scheduled_for desc, e.id desc
  limit 1
) last on true
order by s.schedule_name`;
