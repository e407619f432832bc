import type { Alert, AlertRule } from '../../libs/scheduled-jobs/src/core/alert/alert.js';
import { webhookExecution } from '../../libs/scheduled-jobs/src/core/alert/webhook-execution.js';
import { WEBHOOK_JOB } from '../../libs/scheduled-jobs/src/core/alert/reserved-jobs.js';
import type { RaiseRequest } from '../../libs/scheduled-jobs/src/core/ports/alert-store.js';
import { backgroundJob } from './engine.js';
import { T0, type TestLedger } from './ledger.js';

export const RULES = {
  failure: { kind: 'failure' },
  missed: { kind: 'missed-period' },
  ratio: { kind: 'dead-letter-ratio', above: 0.1, windowMs: 3_600_000, minimum: 20 },
  backlog: { kind: 'backlog-age', aboveMs: 900_000 },
} as const satisfies Record<string, AlertRule>;

const webhook = backgroundJob({ name: WEBHOOK_JOB });
/** As a process with a webhook makes the executions that deliver alerts. */
export const delivery = (alertId: string) => webhookExecution(webhook, alertId);

/** Raises alerts by a rule as one leader does. */
export const raise = (ledger: TestLedger, rule: AlertRule, now: Date, request: Partial<RaiseRequest> = {}) =>
  ledger.stores.alerts.raise(rule, { limit: 100, delivery: null, ...request, now });

/** All alerts of the ledger in the order in which they were raised. */
export const alertsOf = (ledger: TestLedger) =>
  ledger.sql<{ kind: Alert['kind']; subject: string; detail: Record<string, unknown>; closed_at: Date | null }>(
    'select kind, subject, execution_id, runbook, detail, opened_at, closed_at from alerts order by id',
  );

/** Executions of a job that ended failed at one instant, one second after their nominal time; gives their ids. */
export async function failures(
  ledger: TestLedger,
  count: number,
  { job = 'job', at = T0 }: { readonly job?: string; readonly at?: Date } = {},
): Promise<readonly string[]> {
  const rows = await ledger.sql<{ id: string }>(
    `with e as (
       insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select $1 || ':' || $2::timestamptz || ':' || n, $1, $2::timestamptz - interval '1 second', 'default', 0, 1, 'enqueue', $2
       from generate_series(1, $3::int) n returning id, key),
     k as (insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from e),
     t as (
       insert into attempts (execution_id, lease_token, attempt, started_at, finished_at, outcome, error_class, error_message)
       select id, nextval('lease_tokens'), 1, $2, $2, 'failed', 'TypeError', E'boom\\nmore' from e
       returning execution_id, lease_token),
     o as (
       insert into outcomes (execution_id, state, attempts, lease_token, first_started_at, started_at, finished_at, error_class)
       select execution_id, 'failed', 1, lease_token, $2, $2, $2, 'TypeError' from t)
     select id from e order by id`,
    [job, at, count],
  );
  return rows.map(({ id }) => id);
}
