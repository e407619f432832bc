import { describe, expect, it } from 'vitest';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { admitWaitingSql } from '../../libs/scheduled-jobs/src/postgres/statements/admit-waiting.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { Overlaps } from '../support/overlaps.js';

const ledgerOf = useLedger();
const group = new Overlaps(ledgerOf);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const retry = { disposition: 'retry', outcome: 'failed', runAt: after(60_000) } as const;

/** Three executions one after the other, while the first runs; then all are run to their ends. */
async function threeWhileTheFirstRuns() {
  await group.arrive([1]);
  const [first] = await group.claim();
  await group.arrive([2]);
  await group.arrive([3]);
  const meanwhile = await group.states();
  await group.finish(first!);
  const order = [first!.key];
  for (let claimed = await group.claim(); claimed.length > 0; claimed = await group.claim()) {
    order.push(...claimed.map(({ key }) => key));
    for (const one of claimed) await group.finish(one);
  }
  return { meanwhile, order, ended: await group.states() };
}

describe('three occurrences while the first runs, case 205', () => {
  it('wait under queue, and run in their order, one at a time', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'queue' });
    const { meanwhile, order } = await threeWhileTheFirstRuns();
    expect(meanwhile).toEqual({ 'job:1': 'leased', 'job:2': 'waiting', 'job:3': 'waiting' });
    expect(order).toEqual(['job:1', 'job:2', 'job:3']);
  });

  it('are skipped under skip, with the one in their way', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'skip' });
    const { meanwhile, order } = await threeWhileTheFirstRuns();
    expect(meanwhile).toEqual({
      'job:1': 'leased',
      'job:2': 'skipped overlap job:1',
      'job:3': 'skipped overlap job:1',
    });
    expect(order).toEqual(['job:1']);
  });

  it('give way to the last one under queue-latest', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'queue-latest' });
    const { meanwhile, order } = await threeWhileTheFirstRuns();
    expect(meanwhile).toEqual({ 'job:1': 'leased', 'job:2': 'skipped superseded job:3', 'job:3': 'waiting' });
    expect(order).toEqual(['job:1', 'job:3']);
  });

  it('are replaced by the last one under replace, once the running one has stopped', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'replace' });
    const { meanwhile, ended, order } = await threeWhileTheFirstRuns();
    expect(meanwhile).toEqual({
      'job:1': 'leased, asked to stop',
      'job:2': 'skipped superseded job:3',
      'job:3': 'waiting',
    });
    expect(ended).toEqual({ 'job:1': 'canceled', 'job:2': 'skipped superseded job:3', 'job:3': 'succeeded' });
    expect(order).toEqual(['job:1', 'job:3']);
  });

  it('say what replaced them', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'replace' });
    await threeWhileTheFirstRuns();
    const { ledger, audit } = ledgerOf().stores;
    const [first, second, third] = await Promise.all([1, 2, 3].map((n) => ledger.get(`job:${n}`, T0)));
    const byThird = { blockedBy: third!.executionId, blockedByKey: 'job:3' };
    expect(second).toMatchObject({ ...byThird, canceledBy: null });
    expect((await ledger.why('job:2', T0))?.text).toBe(
      'It ended skipped at 2026-03-01T12:00:00.000Z because "job:3" replaced it.',
    );
    // The one that ran was asked to stop when the second one came, which the third one replaced in turn.
    expect(first).toMatchObject({
      state: 'canceled',
      blockedBy: second!.executionId,
      blockedByKey: 'job:2',
      canceledBy: { at: T0, actor: null, reason: 'replaced by "job:2"' },
    });
    expect((await ledger.why('job:1', T0))?.text).toBe(
      'It was canceled at 2026-03-01T12:00:01.000Z: replaced by "job:2"',
    );
    expect((await audit.find({ execution: 'job:1' })).items).toMatchObject([
      { action: 'cancel', actor: null, details: { done: 'asked', replacedBy: second!.executionId } },
    ]);
  });

  it('run side by side under allow', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'allow' });
    await group.arrive([1, 2, 3], { concurrencyKey: null });
    expect(await group.claim()).toHaveLength(3);
  });
});

describe('skip', () => {
  it('keeps the newest of several when room opens for one', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'skip' });
    await group.arrive([1, 2, 3]);
    expect(await group.states()).toEqual({
      'job:1': 'skipped overlap job:3',
      'job:2': 'skipped overlap job:3',
      'job:3': 'ready',
    });
  });

  it('tells what was in the way', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'skip' });
    await group.arrive([1]);
    await group.arrive([2]);
    const { ledger } = ledgerOf().stores;
    const first = await ledger.get('job:1', T0);
    expect(await ledger.get('job:2', T0)).toMatchObject({ reason: 'overlap', blockedBy: first!.executionId });
    expect(await ledger.why('job:2', T0)).toMatchObject({
      standing: { kind: 'ended', reason: 'overlap', blockedBy: 'job:1' },
      text: 'It ended skipped at 2026-03-01T12:00:00.000Z because of overlap with "job:1".',
    });
  });

  it('lets as many run as there is room for', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'skip', concurrency: 3 });
    await group.arrive([1]);
    await group.arrive([2, 3, 4]);
    expect(await group.states()).toEqual({
      'job:1': 'ready',
      'job:2': 'skipped overlap job:1',
      'job:3': 'ready',
      'job:4': 'ready',
    });
  });

  it('counts what waits for its next attempt as unfinished, case 207', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'skip' });
    await group.arrive([1]);
    await group.finish((await group.claim())[0]!, retry);
    await group.arrive([2]);
    expect(await group.states()).toEqual({ 'job:1': 'delayed', 'job:2': 'skipped overlap job:1' });
    await ledgerOf().stores.work.promote(10, after(60_000));
    await group.arrive([3]);
    const again = await group.claim(after(60_000));
    expect(again.map(({ key }) => key)).toEqual(['job:1']);
    await group.finish(again[0]!);
    await group.arrive([4]);
    expect(await group.states()).toMatchObject({ 'job:3': 'skipped overlap job:1', 'job:4': 'ready' });
  });

  it.each([
    ['ended for good', 1, 'failed'],
    ['run again', 4, 'ready'],
  ])('is freed of a dead worker when its execution is rescued and %s, case 209', async (_, maxAttempts, state) => {
    await ledgerOf().jobs({ name: 'job', overlap: 'skip' });
    await group.arrive([1], { maxAttempts, leaseMs: 30_000 });
    await group.claim();
    await group.arrive([2]);
    expect(await ledgerOf().stores.work.rescue(10, after(30_000))).toEqual([]);
    const rescued = await ledgerOf().stores.work.rescue(10, after(30_001));
    expect(rescued).toHaveLength(1);
    if (state === 'ready') await group.finish((await group.claim(after(30_001)))[0]!);
    await group.arrive([3]);
    expect(await group.states()).toEqual({
      'job:1': state === 'ready' ? 'succeeded' : state,
      'job:2': 'skipped overlap job:1',
      'job:3': 'ready',
    });
  });

  it('drops what waits in bounded turns, and keeps the newest of all of them', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'skip' });
    await group.arrive(range(1, 2_501));
    expect(await ledgerOf().sql('select o.state, o.reason, count(*)::int as n from outcomes o group by 1, 2')).toEqual([
      { state: 'skipped', reason: 'overlap', n: 2_500 },
    ]);
    expect((await group.claim()).map(({ key }) => key)).toEqual(['job:2501']);
  });
});

describe('overlap policies', () => {
  it.each(['skip', 'queue-latest', 'replace'] as const)(
    'leave backfilled executions to wait as under queue: %s',
    async (overlap) => {
      await ledgerOf().jobs({ name: 'job', overlap });
      await group.arrive([1, 2, 3], { trigger: 'backfill' });
      expect(await group.states()).toEqual({ 'job:1': 'ready', 'job:2': 'waiting', 'job:3': 'waiting' });
      const [first] = await group.claim();
      await group.arrive([4]);
      expect((await group.states())['job:1']).toBe('leased');
      await group.finish(first!);
      expect((await group.states())['job:2']).not.toContain('skipped');
    },
  );

  it.each(['skip', 'queue-latest', 'replace'] as const)(
    'are those in force when a slot is given, not those of the insert: %s',
    async (overlap) => {
      await ledgerOf().jobs({ name: 'job', overlap });
      await group.arrive([1]);
      await ledgerOf().sql(`update jobs set overlap = 'queue'`);
      await group.arrive([2]);
      await group.arrive([3]);
      expect(await group.states()).toEqual({ 'job:1': 'ready', 'job:2': 'waiting', 'job:3': 'waiting' });
    },
  );

  it('of one job drop nothing of another in the same group, and the smallest concurrency counts', async () => {
    await ledgerOf().jobs(
      { name: 'a', overlap: 'queue-latest', concurrency: 2 },
      { name: 'b', overlap: 'skip', concurrency: 1 },
      { name: 'c', overlap: 'queue', concurrency: 9 },
    );
    await group.arrive([1], { jobName: 'c' });
    await group.arrive([2, 3], { jobName: 'a' });
    await group.arrive([4], { jobName: 'b' });
    await group.arrive([5], { jobName: 'a' });
    expect(await group.states()).toEqual({
      'c:1': 'ready',
      'a:2': 'skipped superseded a:3',
      'a:3': 'ready',
      'b:4': 'skipped overlap c:1',
      'a:5': 'waiting',
    });
  });

  it('admit nothing that they have not judged under the same lock', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'skip' }, { name: 'other' });
    await ledgerOf().insert({ concurrencyKey: 'g' }, { jobName: 'other', concurrencyKey: 'g' });
    await ledgerOf().sql(admitWaitingSql(ledgerNames('scheduled_jobs')), [['g'], false]);
    expect(await ledgerOf().sql(`select job_name from work where phase = 'ready'`)).toEqual([{ job_name: 'other' }]);
  });

  it('are decided by a walk over all keys as well', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'queue-latest' });
    await ledgerOf().insert(...range(1, 40).map((n) => ({ key: `job:${n}`, concurrencyKey: `g${n % 20}` })));
    expect(await ledgerOf().stores.work.admit(null, T0)).toBe(20);
    const [row] = await ledgerOf().sql(`select count(*)::int as n, min(finished_at) as at from outcomes`);
    expect(row).toEqual({ n: 20, at: T0 });
  });
});

describe('replace', () => {
  const jobs = (concurrency = 1) => ledgerOf().jobs({ name: 'job', overlap: 'replace', concurrency });

  it('stops the oldest one, and only when there is no room', async () => {
    await jobs(2);
    await group.arrive([1]);
    await group.arrive([2]);
    await group.claim();
    expect(await group.states()).toEqual({ 'job:1': 'leased', 'job:2': 'leased' });
    await group.arrive([3]);
    await group.arrive([4]);
    expect(await group.states()).toEqual({
      'job:1': 'leased, asked to stop',
      'job:2': 'leased',
      'job:3': 'skipped superseded job:4',
      'job:4': 'waiting',
    });
  });

  it('takes the place of what has not started, and of what waits for its next attempt', async () => {
    await jobs();
    await group.arrive([1]);
    await group.arrive([2]);
    expect(await group.states()).toEqual({ 'job:1': 'canceled', 'job:2': 'ready' });
    await group.finish((await group.claim())[0]!, retry);
    await group.arrive([3]);
    expect(await group.states()).toEqual({ 'job:1': 'canceled', 'job:2': 'canceled', 'job:3': 'ready' });
  });

  it('stops nothing of other jobs, nothing backfilled, and nothing for a paused job', async () => {
    await jobs();
    await ledgerOf().jobs({ name: 'other', overlap: 'replace' });
    await group.arrive([1], { trigger: 'backfill' });
    const [backfilled] = await group.claim();
    await group.arrive([2]);
    await group.arrive([3], { jobName: 'other' });
    expect((await group.states())['job:1']).toBe('leased');
    await group.finish(backfilled!);
    await group.claim();
    const request = { actor: null, reason: 'rest', now: T0 };
    await ledgerOf().stores.suspensions.pause('job', request);
    await group.arrive([4]);
    expect(await group.states()).toMatchObject({ 'job:2': 'leased', 'other:3': 'waiting', 'job:4': 'waiting' });
  });

  it('asks what somebody else holds at the moment the next time', async () => {
    await jobs();
    await group.arrive([1]);
    await group.claim();
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from work for update');
    await group.arrive([2]);
    expect(await group.states()).toEqual({ 'job:1': 'leased', 'job:2': 'waiting' });
    await client.query('commit');
    await group.admit();
    expect(await group.states()).toEqual({ 'job:1': 'leased, asked to stop', 'job:2': 'waiting' });
  });
});
