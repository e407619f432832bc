import { describe, expect, it } from 'vitest';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { cancelWorkSql } from '../../libs/scheduled-jobs/src/postgres/statements/cancel-work.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { Overlaps } from '../support/overlaps.js';
import { backgroundJob } from '../support/schedules.js';

const ledgerOf = useLedger();
const group = new Overlaps(ledgerOf);
const MINUTE_MS = 60_000;
const request = (now: Date) => ({ actor: null, reason: null, now });

const register = (...names: string[]) =>
  ledgerOf().stores.schedules.register(
    names.map((name) => backgroundJob(name)),
    T0,
  );
const handle = (name: string, now: Date) => ledgerOf().stores.work.handle([name], now);
const mark = (now: Date, observingSince = T0) =>
  ledgerOf().stores.suspensions.markUnhandled({ forMs: 2 * MINUTE_MS, observingSince, now });
const hold = (limit = 1_000) => ledgerOf().stores.suspensions.holdIdle(limit);
const bringBack = (...names: string[]) => ledgerOf().stores.work.bringBack(names, 1_000);
const why = async (key: string, now = T0) => (await ledgerOf().stores.ledger.why(key, now))?.text;

describe('a job that no live worker handles', () => {
  it('is known two minutes after the last worker said so, or after it was registered', async () => {
    await register('never', 'left', 'served');
    await handle('left', after(MINUTE_MS));
    expect(await mark(after(2 * MINUTE_MS))).toEqual([]);
    await handle('served', after(3 * MINUTE_MS));
    expect(await mark(after(2 * MINUTE_MS + 1))).toEqual(['never']);
    expect(await mark(after(3 * MINUTE_MS + 1))).toEqual(['left']);
    expect(await ledgerOf().sql('select name, unhandled_since from jobs order by name')).toEqual([
      { name: 'left', unhandled_since: after(MINUTE_MS) },
      { name: 'never', unhandled_since: T0 },
      { name: 'served', unhandled_since: null },
    ]);
  });

  it('is handled as soon as a worker says so again', async () => {
    await register('job');
    await mark(after(10 * MINUTE_MS));
    await handle('job', after(10 * MINUTE_MS));
    expect(await ledgerOf().sql('select handled_at, unhandled_since from jobs')).toEqual([
      { handled_at: after(10 * MINUTE_MS), unhandled_since: null },
    ]);
  });

  it('is not found by who has not looked for two minutes: after an outage all of them seem to be left', async () => {
    await register('job');
    expect(await mark(after(60 * MINUTE_MS), after(58 * MINUTE_MS + 1))).toEqual([]);
    expect(await mark(after(60 * MINUTE_MS), after(58 * MINUTE_MS))).toEqual(['job']);
  });

  it('is not found where only workers of an earlier version may handle it, which do not say so', async () => {
    await ledgerOf().jobs({ name: 'job' });
    expect(await mark(after(60 * MINUTE_MS))).toEqual([]);
  });

  it('is said to be handled once for many workers that say it at the same time', async () => {
    await register('job');
    await handle('job', after(14_000));
    expect(await ledgerOf().row('select handled_at from jobs')).toEqual({ handled_at: T0 });
    await handle('job', after(15_001));
    expect(await ledgerOf().row('select handled_at from jobs')).toEqual({ handled_at: after(15_001) });
  });

  it('leaves the heads of the queues, and comes back with a worker that handles it', async () => {
    await register('job', 'other');
    await ledgerOf().insert({ key: 'job:1' }, { key: 'other:1', jobName: 'other' }, { key: 'job:2', queue: 'mail' });
    await handle('other', after(3 * MINUTE_MS));
    await mark(after(3 * MINUTE_MS));
    expect(await hold()).toBe(2);
    expect(await hold()).toBe(0);
    expect(await group.states()).toEqual({ 'job:1': 'held', 'other:1': 'ready', 'job:2': 'held' });
    expect((await ledgerOf().claim()).map(({ key }) => key)).toEqual(['other:1']);
    expect(await bringBack('other')).toBe(0);
    expect(await bringBack('job')).toBe(2);
    expect(await group.states()).toEqual({ 'job:1': 'ready', 'other:1': 'leased', 'job:2': 'ready' });
  });

  it('moves no more at once than the limit', async () => {
    await register('job');
    await ledgerOf().insert({}, {}, {});
    await mark(after(3 * MINUTE_MS));
    expect([await hold(2), await hold(2), await hold(2)]).toEqual([2, 1, 0]);
  });

  it('keeps no slot from other jobs with the same key, unless its execution has started', async () => {
    await register('job', 'other');
    await group.arrive([1]);
    const [first] = await group.claim();
    await group.finish(first!, { disposition: 'retry', outcome: 'failed', runAt: after(-20_000) });
    await mark(after(3 * MINUTE_MS));
    await handle('other', after(3 * MINUTE_MS));
    await hold();
    await group.arrive([2], { jobName: 'other' });
    expect(await group.states()).toEqual({ 'job:1': 'held', 'other:2': 'waiting' });
    await ledgerOf().sql(`update work set attempt = 0, first_started_at = null, phase = 'ready' where phase = 'held'`);
    await ledgerOf().sql('delete from attempts');
    await hold();
    await group.admit();
    expect(await group.states()).toEqual({ 'job:1': 'waiting', 'other:2': 'ready' });
    expect(await group.admit()).toBe(0);
  });

  it.each([
    ['interrupted', 'skip'],
    ['deferred', 'queue-latest'],
  ] as const)('keeps what was started by a call that was %s from being dropped under %s', async (outcome, overlap) => {
    await ledgerOf().jobs({ name: 'job', overlap });
    await group.arrive([1]);
    const [first] = await group.claim();
    await group.finish(first!, { disposition: 'retry', outcome, runAt: after(-20_000) });
    await ledgerOf().sql('update jobs set unhandled_since = $1', [T0]);
    await hold();
    await group.arrive([2]);
    expect((await group.states())['job:1']).toBe('held');
  });

  it('is named as the reason why its executions do not run', async () => {
    await register('job');
    await ledgerOf().insert({ key: 'job:1' }, { key: 'job:2', runAt: after(60 * MINUTE_MS) });
    await mark(after(3 * MINUTE_MS));
    const sentence =
      'No live worker handles the job "job"; the last one was seen at 2026-03-01T12:00:00.000Z. It waits until one does.';
    expect(await why('job:1')).toBe(sentence);
    await hold();
    expect(await why('job:1')).toBe(sentence);
    expect(await why('job:2')).toContain('It may not run before');
    await handle('job', after(3 * MINUTE_MS));
    expect(await why('job:1')).toContain('the next one in the queue');
  });
});

describe('executions of a paused job', () => {
  it('leave the heads of the queues, and come back when it is resumed', async () => {
    await register('job');
    await ledgerOf().insert({ key: 'job:1' });
    await ledgerOf().stores.suspensions.pause('job', request(T0));
    expect(await hold()).toBe(1);
    expect(await bringBack('job')).toBe(0);
    expect(await why('job:1')).toContain('Its job has been paused');
    await ledgerOf().stores.suspensions.resume('job', { ...request(after(1_000)), catchUp: false });
    expect(await bringBack('job')).toBe(1);
    expect(await ledgerOf().claim()).toHaveLength(1);
  });

  it('keep their slot once they have started, also by a call that did not count', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'queue-latest' });
    await group.arrive([1]);
    const [first] = await group.claim();
    await group.finish(first!, { disposition: 'retry', outcome: 'interrupted' });
    await ledgerOf().stores.suspensions.pause('job', request(T0));
    await group.arrive([2]);
    expect(await group.states()).toEqual({ 'job:1': 'ready', 'job:2': 'waiting' });
  });

  it('end when they are canceled', async () => {
    await register('job');
    const [first] = await ledgerOf().insert({ key: 'job:1' });
    await ledgerOf().stores.suspensions.pause('job', request(T0));
    await hold();
    await ledgerOf().sql(cancelWorkSql(ledgerNames('scheduled_jobs')), [[first!.executionId], T0, true]);
    expect(await group.states()).toEqual({ 'job:1': 'canceled' });
  });

  it('are pending', async () => {
    await register('job');
    await ledgerOf().insert({ key: 'job:1' });
    await ledgerOf().stores.suspensions.pause('job', request(T0));
    await hold();
    const { items } = await ledgerOf().stores.ledger.find({ states: ['pending'] }, T0);
    expect(items).toMatchObject([{ key: 'job:1', state: 'pending' }]);
    expect(await ledgerOf().stores.ledger.get('job:1', T0)).toMatchObject({ state: 'pending' });
  });
});
