import { describe, expect, it } from 'vitest';
import { WEBHOOK_JOB } from '../../libs/scheduled-jobs/src/core/alert/reserved-jobs.js';
import { alertsOf, delivery, failures, raise, RULES } from '../support/alerts.js';
import { useLedger } from '../support/ledger-tests.js';
import { after } from '../support/ledger.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const ledgerOf = useLedger();
const rows = async (table: string) =>
  (await ledgerOf().row<{ n: number }>(`select count(*)::int as n from ${table}`)).n;

describe('An execution that failed for good', () => {
  /** From T0 on failures are watched. */
  const watch = () => raise(ledgerOf(), RULES.failure, after(0));

  it('raises one alert that tells what happened', async () => {
    await ledgerOf().sql(
      `insert into jobs (name, overlap, concurrency, alert) values ('job', 'queue', 1, '{"runbook": "https://wiki/job"}')`,
    );
    await watch();
    const [id] = await failures(ledgerOf(), 1, { at: after(1_000) });
    expect(await raise(ledgerOf(), RULES.failure, after(2_000))).toEqual({ raised: 1, closed: [], hasMore: false });
    expect(await raise(ledgerOf(), RULES.failure, after(3_000))).toEqual({ raised: 0, closed: [], hasMore: false });
    expect(await alertsOf(ledgerOf())).toMatchObject([
      {
        kind: 'failure',
        subject: 'job',
        execution_id: id,
        runbook: 'https://wiki/job',
        detail: { period: null, attempts: 1, errorClass: 'TypeError', errorMessage: 'boom' },
        opened_at: after(1_000),
        closed_at: after(1_000),
      },
    ]);
  });

  it('raises none when it failed before anybody watched', async () => {
    await failures(ledgerOf(), 1, { at: after(-1_000) });
    await watch();
    expect(await raise(ledgerOf(), RULES.failure, after(1_000))).toMatchObject({ raised: 0 });
  });

  it('raises one although its end becomes known hours after it was', async () => {
    await watch();
    await raise(ledgerOf(), RULES.failure, after(12 * 60 * MINUTE_MS));
    await failures(ledgerOf(), 1, { at: after(MINUTE_MS) });
    expect(await raise(ledgerOf(), RULES.failure, after(23 * 60 * MINUTE_MS))).toMatchObject({ raised: 1 });
  });

  it('raises another one when a replay fails again', async () => {
    await watch();
    const [id] = await failures(ledgerOf(), 1, { at: after(1_000) });
    await raise(ledgerOf(), RULES.failure, after(2_000));
    await ledgerOf().sql('update outcomes set finished_at = $2 where execution_id = $1', [id, after(5_000)]);
    await raise(ledgerOf(), RULES.failure, after(6_000));
    expect(await rows('alerts')).toBe(2);
  });

  it('raises one when two leaders look at once, with one execution that delivers it', async () => {
    await watch();
    await failures(ledgerOf(), 50, { at: after(1_000) });
    const looks = Array.from({ length: 8 }, () => raise(ledgerOf(), RULES.failure, after(2_000), { delivery }));
    const results = await Promise.all(looks);
    expect(results.reduce((sum, { raised }) => sum + raised, 0)).toBe(50);
    expect(await rows('alerts')).toBe(50);
    expect(await ledgerOf().sql(`select count(*)::int as n from work where job_name = '${WEBHOOK_JOB}'`)).toEqual([
      { n: 50 },
    ]);
  });

  it('raises none a second time although a leader lost the row that says up to when was watched', async () => {
    await watch();
    await failures(ledgerOf(), 3, { at: after(1_000) });
    const leader = await ledgerOf().client();
    await leader.query('begin');
    await leader.query(
      `insert into alerts (kind, subject, fact, detail, opened_at)
       select 'failure', 'job', execution_id || '@' || extract(epoch from finished_at), '{}', finished_at from outcomes
       order by execution_id limit 1`,
    );
    const second = raise(ledgerOf(), RULES.failure, after(2_000));
    await expect.poll(() => ledgerOf().lockWaits()).toBe(1);
    await leader.query('commit');
    expect(await second).toMatchObject({ raised: 2 });
    expect(await rows('alerts')).toBe(3);
  });

  it('is one of a thousand that are raised a hundred at a time', async () => {
    await watch();
    await failures(ledgerOf(), 1_000, { at: after(1_000) });
    expect(await raise(ledgerOf(), RULES.failure, after(2_000))).toEqual({ raised: 100, closed: [], hasMore: true });
    for (let turn = 0; turn < 9; turn++) await raise(ledgerOf(), RULES.failure, after(2_000));
    expect(await raise(ledgerOf(), RULES.failure, after(2_000))).toMatchObject({ raised: 0, hasMore: false });
    expect(await rows('alerts')).toBe(1_000);
  });

  it('raises none when it was to deliver an alert', async () => {
    await watch();
    await failures(ledgerOf(), 1, { job: WEBHOOK_JOB, at: after(1_000) });
    expect(await raise(ledgerOf(), RULES.failure, after(2_000))).toMatchObject({ raised: 0 });
  });

  it('is not alerted at all when what delivers it cannot be written', async () => {
    await watch();
    await failures(ledgerOf(), 1, { at: after(1_000) });
    const broken = () => ({ ...delivery('1'), trigger: 'nobody' as 'enqueue' });
    await expect(raise(ledgerOf(), RULES.failure, after(2_000), { delivery: broken })).rejects.toMatchObject({
      constraint: 'executions_trigger_check',
    });
    expect(await rows('alerts')).toBe(0);
    await raise(ledgerOf(), RULES.failure, after(3_000), { delivery });
    expect(await rows('alerts')).toBe(1);
  });
});

describe('The ratio of dead letters', () => {
  const ratio = (ms: number) => raise(ledgerOf(), RULES.ratio, after(ms));
  const due = (count: number, at = after(0)) =>
    ledgerOf().insert(...Array.from({ length: count }, () => ({ jobName: 'job', scheduledFor: at, runAt: at })));

  it('opens one alert, closes it well below the limit, and opens another one', async () => {
    await ratio(0);
    await due(90);
    await failures(ledgerOf(), 10, { at: after(1_000) });
    expect(await ratio(2_000)).toEqual({ raised: 0, closed: [], hasMore: false });
    await failures(ledgerOf(), 5, { at: after(3_000) });
    expect(await ratio(4_000)).toMatchObject({ raised: 1 });
    expect(await ratio(5_000)).toMatchObject({ raised: 0, closed: [] });
    await due(60, after(5_000)); // 15 of 165 is below a tenth, but not well below it
    expect(await ratio(6_000)).toEqual({ raised: 0, closed: [], hasMore: false });
    await due(40, after(6_000));
    expect(await ratio(7_000)).toEqual({
      raised: 0,
      closed: [{ kind: 'dead-letter-ratio', subject: 'job' }],
      hasMore: false,
    });
    await failures(ledgerOf(), 20, { at: after(8_000) });
    expect(await ratio(9_000)).toMatchObject({ raised: 1 });
    expect(await alertsOf(ledgerOf())).toMatchObject([
      { detail: { failed: 15, due: 105, above: 0.1, windowMs: 3_600_000 }, closed_at: after(7_000) },
      { detail: { failed: 35, due: 225 }, closed_at: null },
    ]);
  });

  it('closes when nothing failed within the window any more', async () => {
    await ratio(0);
    await failures(ledgerOf(), 20, { at: after(1_000) });
    await ratio(2_000);
    expect(await ratio(62 * MINUTE_MS)).toMatchObject({ closed: [{ subject: 'job' }] });
  });

  it('counts no failure that was acknowledged, and none of what delivers alerts', async () => {
    await ratio(0);
    await failures(ledgerOf(), 20, { at: after(1_000) });
    await failures(ledgerOf(), 20, { job: WEBHOOK_JOB, at: after(1_000) });
    await ledgerOf().sql('update outcomes set acknowledged_at = $1', [after(2_000)]);
    expect(await ratio(3_000)).toMatchObject({ raised: 0 });
  });

  it('is not judged by fewer executions than the minimum', async () => {
    await ratio(0);
    await failures(ledgerOf(), 19, { at: after(1_000) });
    expect(await ratio(2_000)).toMatchObject({ raised: 0 });
  });

  it('raises one alert when many leaders look at once', async () => {
    await ratio(0);
    await failures(ledgerOf(), 20, { at: after(1_000) });
    await Promise.all(Array.from({ length: 8 }, () => ratio(2_000)));
    expect(await rows('alerts')).toBe(1);
  });
});

describe('The age of a backlog', () => {
  const backlog = (ms: number) => raise(ledgerOf(), RULES.backlog, after(ms));

  it('opens one alert for each queue that waits too long, and closes it when nothing waits so long', async () => {
    await backlog(0);
    await ledgerOf().insert({ queue: 'mail', priority: 5 }, { queue: 'mail', priority: -5 }, { queue: 'print' });
    const [mail] = await ledgerOf().claim({ queue: 'mail', take: 1 });
    await ledgerOf().claim({ queue: 'print' });
    expect(await backlog(15 * MINUTE_MS)).toMatchObject({ raised: 0 });
    await Promise.all(Array.from({ length: 8 }, () => backlog(16 * MINUTE_MS)));
    expect(await alertsOf(ledgerOf())).toMatchObject([
      {
        kind: 'backlog-age',
        subject: 'mail',
        detail: { ageMs: 16 * MINUTE_MS, aboveMs: 15 * MINUTE_MS },
        closed_at: null,
      },
    ]);
    await ledgerOf().claim({ queue: 'mail' });
    expect(await backlog(17 * MINUTE_MS)).toMatchObject({ closed: [{ kind: 'backlog-age', subject: 'mail' }] });
    await ledgerOf().insert({ queue: 'mail' });
    expect(await backlog(40 * MINUTE_MS)).toMatchObject({ raised: 1 });
    expect(mail).toBeDefined();
  });

  it('is counted from when an execution was made, however late it was made', async () => {
    await backlog(0);
    await ledgerOf().insert({ scheduledFor: after(-3 * DAY_MS) });
    expect(await backlog(MINUTE_MS)).toMatchObject({ raised: 0 });
  });

  it('is seen although no worker is there to promote what is due', async () => {
    await backlog(0);
    await ledgerOf().insert({ runAt: after(MINUTE_MS) });
    expect(await backlog(15 * MINUTE_MS)).toMatchObject({ raised: 0 });
    expect(await backlog(17 * MINUTE_MS)).toMatchObject({ raised: 1 });
  });

  it('counts what no worker handles, and nothing of a paused job or queue', async () => {
    await backlog(0);
    await ledgerOf().jobs({ name: 'gone' });
    await ledgerOf().insert({ jobName: 'gone', queue: 'a' }, { jobName: 'paused', queue: 'b' }, { queue: 'c' });
    await ledgerOf().sql(`insert into queues (name, paused_at) values ('c', $1)`, [after(0)]);
    await ledgerOf().sql(`update work set phase = 'held' where job_name = 'gone'`);
    await ledgerOf().sql('update jobs set unhandled_since = $1', [after(0)]);
    await ledgerOf().stores.suspensions.pause('paused', { actor: null, reason: null, now: after(0) });
    await backlog(60 * MINUTE_MS);
    expect((await alertsOf(ledgerOf())).map(({ subject }) => subject)).toEqual(['a']);
  });

  it('does not count what was started before, such as a run that was handed back', async () => {
    await backlog(0);
    await ledgerOf().insert({});
    await ledgerOf().sql('update work set first_started_at = $1', [after(0)]);
    expect(await backlog(60 * MINUTE_MS)).toMatchObject({ raised: 0 });
  });
});

describe('An alert', () => {
  const announcing = (ms: number, limit = 10) => ledgerOf().stores.alerts.takeUnannounced(limit, after(ms));

  it('is taken for a minute, the oldest first, until it was announced', async () => {
    await raise(ledgerOf(), RULES.failure, after(0));
    await failures(ledgerOf(), 3, { at: after(1_000) });
    await raise(ledgerOf(), RULES.failure, after(2_000));
    const [first, ...others] = await announcing(3_000, 2);
    expect(others).toHaveLength(1);
    expect(first).toMatchObject({ kind: 'failure', subject: 'job', runbook: null, openedAt: after(1_000) });
    expect(Number(others[0]!.alertId)).toBeGreaterThan(Number(first!.alertId));
    expect(await announcing(4_000)).toHaveLength(1);
    await ledgerOf().stores.alerts.announced(first!.alertId);
    expect(await announcing(3_000 + MINUTE_MS)).toHaveLength(1);
    expect(await announcing(5_000 + MINUTE_MS)).toHaveLength(1);
  });

  it('that nobody announces is offered less and less often, for the last time after a day', async () => {
    await raise(ledgerOf(), RULES.failure, after(0));
    await failures(ledgerOf(), 1, { at: after(1_000) });
    await raise(ledgerOf(), RULES.failure, after(2_000));
    let takes = 0;
    for (let hour = 1; hour < 72; hour++) takes += (await announcing(hour * 60 * MINUTE_MS)).length;
    expect(takes).toBe(6);
  });

  it('is found by its id, and removed 90 days after it was closed', async () => {
    const { alerts } = ledgerOf().stores;
    await raise(ledgerOf(), RULES.failure, after(0));
    await failures(ledgerOf(), 1, { at: after(1_000) });
    await raise(ledgerOf(), RULES.failure, after(2_000));
    const [alert] = await announcing(3_000);
    expect(await alerts.find(alert!.alertId)).toEqual(alert);
    expect(await alerts.find('no id')).toBeNull();
    expect(await alerts.removeOld(100, after(90 * DAY_MS))).toBe(0);
    expect(await alerts.removeOld(100, after(91 * DAY_MS))).toBe(1);
    expect(await alerts.find(alert!.alertId)).toBeNull();
  });
});
