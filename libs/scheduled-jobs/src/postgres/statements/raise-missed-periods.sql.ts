import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isTicked } from './is-ticked.js';

export interface MissedPeriodRow {
  /** Null = all periods that were judged were started in time. */
  readonly id: string | null;
  /** Schedules that were judged. */
  readonly judged: number;
  /** One of them has more periods than were judged. */
  readonly has_more: boolean;
}

const NOW = boundNow(1);
const NAMED_KEYS = 10;
const LOOKED_AT_RANGES = 100;

/**
 * Judges the periods of schedules whose time to start is over, each once: from where the watch stands up to the cursor,
 * behind which every period is on record. What a schedule missed since it was last judged is one alert: periods that were
 * not started in time, periods that catch-up left out, and the first one that should be on record and is not. Not missed
 * is what somebody wanted so: excluded, overlapping and canceled ones, and those that a pause held up, of the job, or of the
 * queue while it goes on; after a suspension the schedule has the same time to record what is due.
 *
 * Fenced: by the lock of the watches; the unique fact names where the watch stood.
 * Locks: watches by name, skip locked; new rows of alerts.
 * Index: executions_browse, outcomes_pk, work_pk, suspensions_browse, skipped_ranges_browse, schedules_pk, jobs_pk,
 * queues_pk.
 * Params: $1 now, $2 schedules, and periods of one schedule, to judge at most.
 */
export const raiseMissedPeriodsSql = (names: LedgerNames): string => {
  const { table } = names;
  return `
with watched as materialized (
  select
    w.subject, w.watched_until, s.job_name, j.alert ->> 'runbook' as runbook, left(s.last_error, 500) as last_error, x.within,
    greatest(x.until, w.watched_until) as until,
    case when x.overdue_at > greatest(x.until, w.watched_until) then x.overdue_at end as overdue_at
  from ${table.alert_watches} w
  join ${table.schedules} s on s.schedule_name = w.subject
  join ${table.jobs} j on j.name = s.job_name
  cross join lateral (
    select
      g.within,
      least(s.cursor_at, ${NOW} - g.within) as until,
      case
        when s.next_at > s.cursor_at
          and s.next_at <= ${NOW} - g.within
          and ${isTicked(names)}
          and not exists (
            select 1
            from ${table.suspensions} e
            where e.job_name = s.job_name and e.to_at > ${NOW} - g.within
          )
        then s.next_at
      end as overdue_at
    from (select (j.alert ->> 'startWithinMs')::bigint * interval '1 millisecond' as within) g
  ) x
  where w.kind = 'missed-period'
    and (x.until > w.watched_until or x.overdue_at > w.watched_until)
  order by w.subject
  limit $2
  for no key update of w skip locked
),
found as materialized (
  select
    v.subject, v.job_name, v.runbook, v.last_error, v.within, v.watched_until, p.n >= $2 as has_more, u.until,
    left_out.n as left_out, case when p.n < $2 then v.overdue_at end as overdue_at, p.late, p.first_id, p.keys
  from watched v
  cross join lateral (
    select
      count(*) as n,
      max(x.scheduled_for) as last_at,
      count(*) filter (where x.late) as late,
      (array_agg(x.id order by x.scheduled_for, x.id) filter (where x.late))[1] as first_id,
      coalesce(to_json((array_agg(x.key order by x.scheduled_for, x.id) filter (where x.late))[1:${NAMED_KEYS}]), '[]') as keys
    from (
      select
        e.id, e.key, e.scheduled_for,
        coalesce(o.first_started_at, k.first_started_at, k.started_at, 'infinity') > e.scheduled_for + v.within
          and coalesce(o.reason not in ('excluded', 'dst-gap', 'overlap', 'superseded'), true)
          and (o.state is distinct from 'canceled' or o.first_started_at is not null)
          and not exists (
            select 1
            from ${table.suspensions} s
            where s.job_name = v.job_name
              and s.kind = 'paused'
              and s.from_at < e.scheduled_for + v.within
              and (s.to_at is null or s.to_at > e.scheduled_for)
          )
          and not exists (
            select 1 from ${table.queues} q where q.name = e.queue and q.paused_at < e.scheduled_for + v.within
          ) as late
      from (
        select e.id, e.key, e.queue, e.scheduled_for
        from ${table.executions} e
        where e.job_name = v.job_name
          and e.scheduled_for > v.watched_until
          and e.scheduled_for <= v.until
          and e.trigger = 'schedule'
        order by e.scheduled_for
        fetch first $2 rows with ties
      ) e
      left join ${table.outcomes} o on o.execution_id = e.id
      left join ${table.work} k on k.execution_id = e.id
    ) x
  ) p
  cross join lateral (select case when p.n >= $2 then p.last_at else v.until end as until) u
  cross join lateral (
    select coalesce(sum(r.occurrences), 0)::bigint as n
    from (
      select r.occurrences, r.to_at, r.reason
      from ${table.skipped_ranges} r
      where r.job_name = v.job_name
      order by r.from_at desc
      limit ${LOOKED_AT_RANGES}
    ) r
    where r.reason = 'catch-up' and r.to_at > v.watched_until and r.to_at <= u.until
  ) left_out
),
raised as (
  insert into ${table.alerts} (
    kind, subject, fact, execution_id, runbook, detail, opened_at, closed_at, announce_at)
  select
    'missed-period', f.job_name, f.subject || '@' || extract(epoch from f.watched_until), f.first_id, f.runbook,
    json_build_object(
      'late', f.late, 'keys', f.keys, 'leftOut', f.left_out,
      'unrecordedSince', to_char(f.overdue_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'lastError', case when f.overdue_at is not null then f.last_error end,
      'startWithinMs', floor(extract(epoch from f.within) * 1000)),
    ${NOW}, ${NOW}, ${NOW}
  from found f
  where f.late > 0 or f.left_out > 0 or f.overdue_at is not null
  order by f.subject
  on conflict do nothing
  returning id
),
moved as (
  update ${table.alert_watches} w
  set watched_until = coalesce(f.overdue_at, f.until)
  from found f
  where w.kind = 'missed-period'
    and w.subject = any (array(select subject from found))
    and w.subject = f.subject
)
select
  raised.id::text as id, (select count(*)::int from watched) as judged,
  (select count(*) >= $2 or coalesce(bool_or(has_more), false) from found) as has_more
from (select) as always
left join raised on true
order by raised.id`;
};
