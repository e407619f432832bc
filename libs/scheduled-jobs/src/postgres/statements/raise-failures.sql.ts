import { WEBHOOK_JOB } from '../../core/alert/reserved-jobs.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface RaisedRow {
  readonly id: string;
}

const NOW = boundNow(1);
/** An end may become known later than it was: its worker could not reach the database. */
const UNSEEN = `interval '1 day'`;
/** What is older was not watched by anybody for a long time, and is history. */
const OLDEST = `interval '7 days'`;

/**
 * Raises an alert for each execution that failed for good, the earliest first. Ids and ends are not the order of commits, so
 * what ended within a day before the newest judgement is looked at again, and compared with the alerts there are.
 *
 * Fenced: by the lock of the watch and the unique fact: an execution and the time of its end, so that a replay that fails
 * again is another one.
 * Locks: the watch, skip locked; new rows of alerts.
 * Index: outcomes_failed, alerts_fact, executions_pk, attempts_pk, jobs_pk, alert_watches_pk.
 * Params: $1 now, $2 limit.
 */
export const raiseFailuresSql = ({ table }: LedgerNames): string => `
with watch as materialized (
  select greatest(watched_until, ${NOW} - ${OLDEST}) as watched_until
  from ${table.alert_watches}
  where kind = 'failure' and subject = ''
  for no key update skip locked
),
ended as materialized (
  select
    o.execution_id, o.execution_id || '@' || extract(epoch from o.finished_at) as fact, o.lease_token, o.attempts, o.reason,
    o.error_class, o.error_code, o.finished_at, e.key, e.job_name, e.period
  from ${table.outcomes} o
  join ${table.executions} e on e.id = o.execution_id
  where o.state = 'failed'
    and o.finished_at >= (select watched_until from watch)
    and e.job_name <> '${WEBHOOK_JOB}'
    and not exists (
      select 1
      from ${table.alerts} a
      where a.kind = 'failure' and a.fact = o.execution_id || '@' || extract(epoch from o.finished_at)
    )
  order by o.finished_at, o.execution_id
  limit $2
),
judged as (
  update ${table.alert_watches} w
  set watched_until = greatest(w.watched_until, ${NOW} - ${UNSEEN})
  where w.kind = 'failure' and w.subject = ''
    and exists (select 1 from watch)
    and (select count(*) from ended) < $2
),
raised as (
  insert into ${table.alerts} (
    kind, subject, fact, execution_id, runbook, detail, opened_at, closed_at, announce_at)
  select
    'failure', n.job_name, n.fact, n.execution_id,
    (select j.alert ->> 'runbook' from ${table.jobs} j where j.name = n.job_name),
    json_build_object(
      'key', n.key, 'period', n.period, 'attempts', n.attempts, 'reason', n.reason, 'errorClass', n.error_class,
      'errorCode', n.error_code, 'errorMessage', (
        select left(split_part(t.error_message, E'\\n', 1), 500)
        from ${table.attempts} t
        where t.execution_id = n.execution_id and t.lease_token = n.lease_token
      )),
    n.finished_at, n.finished_at, ${NOW}
  from ended n
  order by n.finished_at, n.execution_id
  on conflict do nothing
  returning id
)
select id::text as id from raised order by raised.id`;
