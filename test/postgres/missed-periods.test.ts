import { describe, expect, it } from 'vitest';
import { alertsOf, raise, RULES } from '../support/alerts.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { everySecond, scheduledJob } from '../support/schedules.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const ledgerOf = useLedger();
const look = (ms: number, request: { limit?: number } = {}) => raise(ledgerOf(), RULES.missed, after(ms), request);

/** Registers jobs that are due every second from T0 on; their periods must start within 15 minutes. */
async function register(...names: string[]): Promise<void> {
  const definitions = names.map((name) => scheduledJob({ name }));
  await ledgerOf().stores.schedules.register(definitions, T0);
}

/** Records the periods that are due by then, `most` at a time and job. */
const tick = (ms: number, most = 1_000, names = ['job']) =>
  ledgerOf().stores.schedules.tick({ jobNames: names, limit: 100, now: after(ms) }, everySecond(most));

describe('A period that is not started in time', () => {
  it('raises one alert for its job, with the keys and the runbook', async () => {
    await register('job');
    await ledgerOf().sql(`update jobs set alert = alert || '{"runbook": "call ann"}'`);
    await look(0);
    await tick(3_000);
    expect(await look(15 * MINUTE_MS)).toEqual({ raised: 0, closed: [], hasMore: false });
    const results = await Promise.all(Array.from({ length: 8 }, () => look(15 * MINUTE_MS + 3_000)));
    expect(results.reduce((sum, { raised }) => sum + raised, 0)).toBe(1);
    expect(await look(20 * MINUTE_MS)).toMatchObject({ raised: 1 }); // nothing was recorded since
    expect(await look(40 * MINUTE_MS)).toMatchObject({ raised: 0 });
    const [id] = await ledgerOf().sql<{ id: string }>('select id from executions order by scheduled_for');
    expect(await alertsOf(ledgerOf())).toMatchObject([
      {
        kind: 'missed-period',
        subject: 'job',
        execution_id: id!.id,
        runbook: 'call ann',
        detail: {
          late: 3,
          leftOut: 0,
          keys: [1, 2, 3].map((second) => `job:${after(second * 1_000).toISOString()}`),
          unrecordedSince: null,
          startWithinMs: 15 * MINUTE_MS,
        },
        closed_at: after(15 * MINUTE_MS + 3_000),
      },
      { detail: { late: 0, keys: [], unrecordedSince: '2026-03-01T12:00:04.000Z' } },
    ]);
  });

  it('raises another alert for each one that is missed later, and none for one that was not recorded at all twice', async () => {
    await register('job');
    await look(0);
    expect(await look(16 * MINUTE_MS)).toMatchObject({ raised: 0 }); // it was never ticked: nobody knows its next period
    await tick(1_000, 1);
    expect(await look(17 * MINUTE_MS)).toMatchObject({ raised: 1 });
    expect(await look(17 * MINUTE_MS)).toMatchObject({ raised: 0 });
    await tick(17 * MINUTE_MS, 1);
    expect(await look(18 * MINUTE_MS)).toMatchObject({ raised: 1 });
    const details = (await alertsOf(ledgerOf())).map(({ detail }) => [detail['late'], detail['unrecordedSince']]);
    expect(details).toEqual([
      [1, '2026-03-01T12:00:02.000Z'],
      [0, '2026-03-01T12:00:03.000Z'],
    ]);
  });

  it('is missed although it was started later', async () => {
    await register('job');
    await look(0);
    await tick(2_000);
    const [first] = await ledgerOf().claim({ now: after(15 * MINUTE_MS), take: 1 });
    await ledgerOf().claim({ now: after(15 * MINUTE_MS + 2_001), take: 1 });
    expect(first).toMatchObject({ scheduledFor: after(1_000) });
    await look(17 * MINUTE_MS);
    expect((await alertsOf(ledgerOf()))[0]).toMatchObject({
      detail: { late: 1, keys: [`job:${after(2_000).toISOString()}`] },
    });
  });

  it.each([
    [
      'excluded',
      `insert into outcomes (execution_id, state, reason, finished_at) select id, 'skipped', 'excluded', $1 from e`,
    ],
    [
      'superseded by a later one',
      `insert into outcomes (execution_id, state, reason, blocked_by, finished_at)
       select id, 'skipped', 'superseded', id, $1 from e`,
    ],
    [
      'canceled before it started',
      `insert into outcomes (execution_id, state, finished_at) select id, 'canceled', $1 from e`,
    ],
  ])('is not missed when it was %s', async (_, ending) => {
    await register('job');
    await look(0);
    await tick(1_000);
    await ledgerOf().sql(`with e as (delete from work returning execution_id as id) ${ending}`, [after(2_000)]);
    expect(await look(15 * MINUTE_MS + 1_000)).toMatchObject({ raised: 0 });
  });

  it('is missed when its deadline came first', async () => {
    await register('job');
    await look(0);
    await tick(1_000);
    await ledgerOf().sql(
      `with e as (delete from work returning execution_id as id)
       insert into outcomes (execution_id, state, reason, finished_at) select id, 'skipped', 'deadline', $1 from e`,
      [after(2_000)],
    );
    expect(await look(15 * MINUTE_MS + 1_000)).toMatchObject({ raised: 1 });
  });

  it('is not missed while its job is paused, nor afterwards', async () => {
    await register('job');
    await look(0);
    await tick(1_000);
    const request = { actor: 'ann', reason: 'works', now: after(1_500) };
    await ledgerOf().stores.suspensions.pause('job', request);
    expect(await look(HOUR_MS)).toMatchObject({ raised: 0 });
    await ledgerOf().stores.suspensions.resume('job', { ...request, now: after(HOUR_MS), catchUp: false });
    expect(await look(HOUR_MS + 1)).toMatchObject({ raised: 0 }); // the next tick has its time, too
  });

  it('is not missed while its queue is paused', async () => {
    await register('job');
    await look(0);
    await tick(1_000);
    const request = { actor: 'ann', reason: 'works' };
    await ledgerOf().stores.queues.pause('default', { ...request, now: after(1_500) });
    expect(await look(15 * MINUTE_MS + 1_000)).toMatchObject({ raised: 0 });
    await ledgerOf().stores.queues.resume('default', { ...request, now: after(16 * MINUTE_MS) });
    await tick(2_000);
    expect(await look(16 * MINUTE_MS)).toMatchObject({ raised: 1 });
    expect((await alertsOf(ledgerOf()))[0]!.detail).toMatchObject({ late: 1 });
  });

  it('is judged once however many there are, so many at a time', async () => {
    await register('job');
    await look(0);
    await tick(25_000);
    const results = [];
    for (let turn = 0; turn < 4; turn++) results.push(await look(15 * MINUTE_MS + 25_000, { limit: 10 }));
    expect(results.map(({ raised, hasMore }) => [raised, hasMore])).toEqual([
      [1, true],
      [1, true],
      [1, false],
      [0, false],
    ]);
    expect((await alertsOf(ledgerOf())).map(({ detail }) => detail['late'])).toEqual([10, 10, 5]);
  });

  it('is not judged for schedules that were watched from later on', async () => {
    await register('job');
    await tick(1_000);
    expect(await look(HOUR_MS)).toMatchObject({ raised: 0 });
  });
});

describe('Periods that catch-up left out', () => {
  const leaveOut = (reason: 'catch-up' | 'paused', actor: string | null) => {
    const plan = everySecond();
    return ledgerOf().stores.schedules.tick({ jobNames: ['job'], limit: 1, now: after(5_000) }, (due) => ({
      ...plan(due),
      executions: [],
      cursorAt: after(5_000),
      skippedRange: { from: after(1_000), to: after(5_000), count: 5, reason, actor },
    }));
  };

  it('raise one alert for a range', async () => {
    await register('job');
    await look(0);
    await leaveOut('catch-up', null);
    await look(15 * MINUTE_MS + 5_000);
    expect(await look(15 * MINUTE_MS + 5_000)).toMatchObject({ raised: 0 });
    expect(await alertsOf(ledgerOf())).toMatchObject([{ execution_id: null, detail: { late: 0, leftOut: 5 } }]);
  });

  it('raise none when somebody paused the job', async () => {
    await register('job');
    await look(0);
    await leaveOut('paused', 'ann');
    expect(await look(15 * MINUTE_MS + 5_000)).toMatchObject({ raised: 0 });
  });
});

describe('Schedules that keep up', () => {
  it('raise nothing, and are judged beside those that do not', async () => {
    await register('good', 'bad');
    await look(0);
    await tick(1_000, 1, ['good', 'bad']);
    await ledgerOf().sql(`update work set first_started_at = $1 where job_name = 'good'`, [after(2_000)]);
    await look(15 * MINUTE_MS + 1_000);
    expect((await alertsOf(ledgerOf())).map(({ subject }) => subject)).toEqual(['bad']);
    expect(await ledgerOf().sql('select distinct watched_until from alert_watches')).toEqual([
      { watched_until: after(1_000) },
    ]);
  });
});
