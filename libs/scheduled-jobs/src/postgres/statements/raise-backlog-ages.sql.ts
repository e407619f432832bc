import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { CLOSES_BELOW, levelAlerts } from './level-alerts.js';

const NOW = boundNow(1);
const LIMIT_MS = '$3::bigint';
const LOOKED_AT = 1_000;
/** The claim takes from the head, so what has waited longest is there. */
const HEAD = 100;

/**
 * Opens an alert for each queue whose oldest execution that could run has waited too long, and closes those that wait much
 * shorter again. An execution waits since it could run, at the earliest since it was made; one that was started before is
 * not looked at, nor one of a paused job or queue. Ready work is read at the head of each priority of each queue, held work of jobs
 * that no worker handles at the head of each job, and work that was never promoted by its time.
 *
 * Fenced: by the lock of the watch; a queue has one open alert.
 * Locks: the watch, skip locked; new rows of alerts, and open ones.
 * Index: work_ready, work_held, work_delayed, suspensions_open, queues_pk, executions_pk, alerts_open, alert_watches_pk.
 * Params: $1 now, $2 limit, $3 ms.
 */
export const raiseBacklogAgesSql = (names: LedgerNames): string => {
  const { table } = names;
  return `
with recursive watch as materialized (
  select kind
  from ${table.alert_watches}
  where kind = 'backlog-age' and subject = ''
  for no key update skip locked
),
paused as materialized (
  select array(select job_name from ${table.suspensions} where kind = 'paused' and to_at is null) as names
),
heads as (
  (
    select w.queue, w.priority, 1 as n
    from ${table.work} w
    where w.phase = 'ready' and exists (select 1 from watch)
    order by w.queue, w.priority
    limit 1
  )
  union all
  select next.queue, next.priority, h.n + 1
  from heads h
  cross join lateral (
    select w.queue, w.priority
    from ${table.work} w
    where w.phase = 'ready' and (w.queue, w.priority) > (h.queue, h.priority)
    order by w.queue, w.priority
    limit 1
  ) next
  where h.n < ${LOOKED_AT}
),
waiting as materialized (
  select oldest.execution_id, h.queue, oldest.run_at
  from heads h
  cross join lateral (
    select head.execution_id, head.run_at
    from (
      select w.execution_id, w.run_at, w.first_started_at, w.job_name
      from ${table.work} w
      where w.phase = 'ready' and w.queue = h.queue and w.priority = h.priority
      order by w.run_at, w.execution_id
      limit ${HEAD}
    ) head
    where head.first_started_at is null and head.job_name <> all ((select names from paused)::text[])
    order by head.run_at, head.execution_id
    limit 1
  ) oldest
  union all
  select held.execution_id, held.queue, held.run_at
  from ${table.jobs} j
  cross join lateral (
    select w.execution_id, w.queue, w.run_at
    from ${table.work} w
    where w.phase = 'held' and w.job_name = j.name and w.first_started_at is null
    order by w.execution_id
    limit 1
  ) held
  where j.unhandled_since is not null
    and j.name <> all ((select names from paused)::text[])
    and exists (select 1 from watch)
  union all
  select d.execution_id, d.queue, d.run_at
  from (
    select w.execution_id, w.queue, w.run_at
    from ${table.work} w
    where w.phase = 'delayed'
      and w.run_at <= ${NOW} - ${LIMIT_MS} * interval '1 millisecond'
      and w.first_started_at is null
      and exists (select 1 from watch)
    order by w.run_at
    limit ${LOOKED_AT}
  ) d
),
judged as materialized (
  select x.subject, max(x.age_ms)::bigint as age_ms
  from (
    select w.queue as subject, floor(extract(epoch from ${NOW} - greatest(w.run_at, e.created_at)) * 1000) as age_ms
    from waiting w
    join ${table.executions} e on e.id = w.execution_id
    where not exists (select 1 from ${table.queues} q where q.name = w.queue and q.paused_at is not null)
    union all
    select subject, 0
    from ${table.alerts}
    where kind = 'backlog-age' and closed_at is null and exists (select 1 from watch)
  ) x
  group by x.subject
),${levelAlerts(names, {
    kind: 'backlog-age',
    runbook: 'null',
    detail: `json_build_object('ageMs', g.age_ms, 'aboveMs', ${LIMIT_MS})`,
    isAbove: `g.age_ms > ${LIMIT_MS}`,
    isWellBelow: `g.age_ms <= ${LIMIT_MS} * ${CLOSES_BELOW}`,
  })}`;
};
