import { WEBHOOK_JOB } from '../../core/alert/reserved-jobs.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { CLOSES_BELOW, levelAlerts } from './level-alerts.js';

const NOW = boundNow(1);
const COUNTED = 100_000;

/**
 * Opens an alert for each job of whose executions too many became dead letters, and closes those that are well below the
 * limit again. Compared are dead letters that ended in the window with executions that were due in it.
 *
 * Fenced: by the lock of the watch; a job has one open alert.
 * Locks: the watch, skip locked; new rows of alerts, and open ones.
 * Index: outcomes_failed, executions_pk, executions_browse, alerts_open, alert_watches_pk.
 * Params: $1 now, $2 limit, $3 ratio, $4 window ms, $5 fewest executions.
 */
export const raiseDeadLetterRatiosSql = (names: LedgerNames): string => {
  const { table } = names;
  return `
with watch as materialized (
  select $4::bigint * interval '1 millisecond' as back
  from ${table.alert_watches}
  where kind = 'dead-letter-ratio' and subject = ''
  for no key update skip locked
),
dead as materialized (
  select o.execution_id
  from ${table.outcomes} o
  where o.state = 'failed'
    and o.acknowledged_at is null
    and o.finished_at > (select ${NOW} - back from watch)
    and o.finished_at <= ${NOW}
  order by o.finished_at desc
  limit ${COUNTED}
),
counted as materialized (
  select x.subject, sum(x.n)::int as failed
  from (
    select e.job_name as subject, 1 as n
    from ${table.executions} e
    where e.id = any (array(select execution_id from dead)) and e.job_name <> '${WEBHOOK_JOB}'
    union all
    select subject, 0
    from ${table.alerts}
    where kind = 'dead-letter-ratio' and closed_at is null
  ) x
  where exists (select 1 from watch)
  group by x.subject
),
judged as materialized (
  select c.subject, c.failed, greatest(due.n, c.failed) as due
  from counted c
  cross join lateral (
    select count(*)::int as n
    from (
      select 1
      from ${table.executions} e
      where e.job_name = c.subject
        and e.scheduled_for > (select ${NOW} - back from watch)
        and e.scheduled_for <= ${NOW}
      limit ${COUNTED}
    ) x
  ) due
),${levelAlerts(names, {
    kind: 'dead-letter-ratio',
    runbook: `(select j.alert ->> 'runbook' from ${table.jobs} j where j.name = g.subject)`,
    detail: `json_build_object('failed', g.failed, 'due', g.due, 'above', $3::float8, 'windowMs', $4::bigint)`,
    isAbove: 'g.due >= $5::int and g.failed > $3::float8 * g.due',
    isWellBelow: `g.failed <= $3::float8 * ${CLOSES_BELOW} * g.due`,
  })}`;
};
