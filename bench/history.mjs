// A ledger as it is after months: scheduled and background jobs, successes, failures and skips.

const SCHEMA = 'scheduled_jobs';
const AT_ONCE = 100_000;
const SCHEDULES = 100;

/** The schedules of the history, each of every hour. */
const REPORTS = Array.from({ length: SCHEDULES }, (_, n) => `report-${n}`);
/** The background job with four fifths of the executions, half of them in the last week. */
export const MAIL = 'mail';
/** One of the schedules. */
export const REPORT = 'report-7';

/**
 * Row `g` counts back from the present. Every fifth belongs to a schedule, one period after the other; the mails are spread
 * over two weeks. One of 25 has failed, one of 50 was skipped. The oldest are inserted first.
 */
const ENDED = `
with rows as materialized (
  select
    g, g % 5 = 0 as scheduled,
    case when g % 5 = 0 then 'report-' || g / 5 % ${SCHEDULES} else '${MAIL}' end as job,
    case
      when g % 5 = 0 then date_trunc('hour', now()) - g / 5 / ${SCHEDULES} * interval '1 hour'
      else now() - g * (interval '14 days' / $3::int)
    end as at,
    case when g % 50 in (5, 7) then 'failed' when g % 50 = 3 then 'skipped' else 'succeeded' end as state,
    interval '50 milliseconds' + g::bigint * 7919 % 5000 * interval '1 millisecond' as duration,
    left(md5((g % 40)::text), 16) as fingerprint
  from generate_series($1::int, $2::int) g
),
facts as materialized (
  insert into ${SCHEMA}.executions (
    key, job_name, period, queue, priority, scheduled_for, max_attempts, payload, trigger, created_at)
  select
    r.job || ':' || p.label, r.job, case when r.scheduled then p.label end, 'default', 0, r.at, 4, '{"i":1,"userId":12345}',
    case when r.scheduled then 'schedule' else 'enqueue' end, r.at
  from rows r
  cross join lateral (
    select case
      when r.scheduled then to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"+00:00"') else r.g::text
    end as label
  ) p
  order by r.g desc
  returning id, key, job_name, scheduled_for
),
known as (
  insert into ${SCHEMA}.keys (key_hash, execution_id)
  select substring(sha256(convert_to(key, 'UTF8')) for 16), id from facts
),
ended as materialized (
  select f.id, f.scheduled_for as at, r.state, r.duration, r.fingerprint
  from (select id, scheduled_for, row_number() over (order by id) as n from facts) f
  join (select *, row_number() over (order by g desc) as n from rows) r on r.n = f.n
),
tried as (
  insert into ${SCHEMA}.attempts (
    execution_id, lease_token, attempt, worker_id, started_at, finished_at, outcome, error_class, error_message)
  select
    id, 1, 1, 'w' || id % 7, at, at + duration, state, case when state = 'failed' then 'TypeError' end,
    case when state = 'failed' then 'boom' end
  from ended
  where state <> 'skipped'
)
insert into ${SCHEMA}.outcomes (
  execution_id, state, reason, attempts, lease_token, first_started_at, started_at, finished_at, error_class, error_fingerprint)
select
  id, state, case when state = 'skipped' then 'overlap' end, case when state = 'skipped' then 0 else 1 end, 1,
  case when state <> 'skipped' then at end, case when state <> 'skipped' then at end, at + duration,
  case when state = 'failed' then 'TypeError' end, case when state = 'failed' then fingerprint end
from ended`;

/**
 * Fills a migrated ledger.
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {import('./ledger.mjs').BenchLedger} ledger
 * @param {number} ended executions
 */
export async function addHistory(database, ledger, ended) {
  const hours = Math.ceil(ended / 5 / SCHEDULES) + 1;
  const schedules = REPORTS.map((name) => ({ name, cron: '0 * * * *' }));
  await ledger.register(schedules, new Date(Date.now() - hours * 3_600_000));
  await database.query(`insert into ${SCHEMA}.jobs (name, overlap, concurrency) values ($1, 'allow', 1)`, [MAIL]);
  for (let last = ended; last > 0; last -= AT_ONCE) {
    await database.query(ENDED, [Math.max(last - AT_ONCE, 0) + 1, last, ended]);
  }
  await database.query(
    `update ${SCHEMA}.schedules set cursor_at = now() - interval '1 hour', next_at = date_trunc('hour', now()) + interval '1 hour'`,
  );
}
