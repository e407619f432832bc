import { describe, expect, it } from 'vitest';
import { backfill, newBackfill, pruneExecution, tickAll } from '../support/backfills.js';
import { expectComplete } from '../support/completeness.js';
import { scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const register = (...jobs: ReturnType<typeof scheduledJob>[]) => ledgerOf().stores.schedules.register(jobs, T0);
const at = (text: string) => new Date(text);
const daily = scheduledJob('0 6 * * *', { name: 'daily', timeZone: 'Europe/Berlin', catchUp: { window: '90d' } });
const january = { from: at('2026-01-10T00:00:00Z'), to: at('2026-01-14T12:00:00Z') };
const keys = async () =>
  (await ledgerOf().sql<{ key: string }>('select key from executions order by id')).map(({ key }) => key);

describe('a backfill', () => {
  it('inserts the periods of a range once, waiting in the group of the job', async () => {
    await register(daily);
    const made = await backfill(ledgerOf(), daily, { ...january, actor: 'anna' });
    expect(made).toEqual({
      backfillId: made.backfillId,
      jobName: 'daily',
      ...january,
      order: 'oldest-first',
      occurrences: 5,
      inserted: 5,
      existing: 0,
      pruned: 0,
      actor: 'anna',
      reason: 'a test',
      createdAt: expect.any(Date),
      canceledAt: null,
      canceledBy: null,
      cancelReason: null,
      states: { pending: 5 },
      done: false,
      state: 'open',
    });
    expect(await keys()).toEqual([10, 11, 12, 13, 14].map((day) => `daily:2026-01-${day}`));
    expect(await ledgerOf().sql('select distinct phase, priority, concurrency_key, slot from work')).toEqual([
      { phase: 'waiting', priority: 100, concurrency_key: 'job:daily', slot: null },
    ]);
    expect(await ledgerOf().stores.ledger.get('daily:2026-01-10', null)).toMatchObject({
      trigger: 'backfill',
      actor: 'anna',
      backfillId: made.backfillId,
      scheduledFor: at('2026-01-10T05:00:00Z'),
      interval: { start: at('2026-01-09T05:00:00Z'), end: at('2026-01-10T05:00:00Z') },
    });
  });

  it('gives newer periods the smaller ids when they are to run first', async () => {
    await register(daily);
    await backfill(ledgerOf(), daily, { ...january, order: 'newest-first' });
    expect(await keys()).toEqual([14, 13, 12, 11, 10].map((day) => `daily:2026-01-${day}`));
  });

  it('inserts nothing again, and counts what is there and what retention has removed', async () => {
    await register(daily);
    await backfill(ledgerOf(), daily, { ...january, to: at('2026-01-12T12:00:00Z') });
    await pruneExecution(ledgerOf(), 'daily:2026-01-11');
    const counts = { occurrences: 5, inserted: 2, existing: 2, pruned: 1, states: { pending: 2 } };
    expect(await backfill(ledgerOf(), daily, january)).toMatchObject(counts);
    const none = { occurrences: 5, inserted: 0, existing: 4, pruned: 1, states: {}, done: true };
    expect(await backfill(ledgerOf(), daily, january)).toMatchObject(none);
    expect(await ledgerOf().sql(`select 1 from executions where key = 'daily:2026-01-11'`)).toEqual([]);
  });

  it('counts periods that were executed under an earlier name', async () => {
    await ledgerOf().insert({ jobName: 'old', key: 'old:2026-01-10' }, { jobName: 'older', key: 'older:2026-01-12' });
    await ledgerOf().jobs({ name: 'old' }, { name: 'older' });
    await pruneExecution(ledgerOf(), 'older:2026-01-12');
    const renamed = scheduledJob('0 6 * * *', { name: 'daily', timeZone: 'Europe/Berlin', aliases: ['older', 'old'] });
    await register(renamed);
    expect(await backfill(ledgerOf(), renamed, january)).toMatchObject({ inserted: 3, existing: 1, pruned: 1 });
    expect(await keys()).not.toContain('daily:2026-01-10');
  });

  it('knows the periods of an earlier name from those of the job that the name was given to later', async () => {
    const hourly = (name: string, ...aliases: string[]) => scheduledJob('0 * * * *', { name, aliases });
    const [renamed, other] = [hourly('new', 'old'), hourly('old')];
    await register(other);
    await tickAll(ledgerOf(), [other], after(2 * HOUR));
    await ledgerOf().stores.schedules.register([renamed], after(2.5 * HOUR));
    await tickAll(ledgerOf(), [renamed], after(3 * HOUR));
    await ledgerOf().stores.schedules.register([hourly('new'), other], after(3.5 * HOUR));
    await tickAll(ledgerOf(), [other], after(6 * HOUR));
    const range = { from: after(HOUR), to: after(6 * HOUR) };
    expect(await backfill(ledgerOf(), hourly('new'), range)).toMatchObject({ existing: 3, inserted: 3 });
  });

  it('leaves a tick that comes later nothing to do for its periods, and the reverse', async () => {
    await register(scheduledJob('0 * * * *', { name: 'hourly' }));
    const hourly = scheduledJob('0 * * * *', { name: 'hourly' });
    const range = { from: T0, to: after(5 * HOUR) };
    await tickAll(ledgerOf(), [hourly], after(2 * HOUR));
    expect(await backfill(ledgerOf(), hourly, range)).toMatchObject({ occurrences: 6, inserted: 4, existing: 2 });
    await tickAll(ledgerOf(), [hourly], after(8 * HOUR));
    expect(await ledgerOf().sql('select trigger, count(*)::int as n from executions group by 1 order by 1')).toEqual([
      { trigger: 'backfill', n: 4 },
      { trigger: 'schedule', n: 5 },
    ]);
    expect((await expectComplete(ledgerOf(), [hourly])).schedules).toMatchObject([{ expected: 8, recorded: 8 }]);
  });

  it('executes what catch-up has left out; the range stays on record', async () => {
    const hourly = scheduledJob('0 * * * *', { name: 'hourly', catchUp: { window: '2h' } });
    await register(hourly);
    await tickAll(ledgerOf(), [hourly], after(10 * HOUR));
    const ranges = () => ledgerOf().sql('select from_at, to_at, occurrences, reason from skipped_ranges');
    const before = await ranges();
    expect(before).toEqual([{ from_at: after(HOUR), to_at: after(8 * HOUR), occurrences: '8', reason: 'catch-up' }]);
    const made = await backfill(ledgerOf(), hourly, { from: after(3 * HOUR), to: after(9 * HOUR) });
    expect(made).toMatchObject({ occurrences: 7, inserted: 6, existing: 1 });
    expect(await ranges()).toEqual(before);
    const { schedules } = await expectComplete(ledgerOf(), [hourly]);
    expect(schedules).toMatchObject([{ expected: 10, recorded: 8, leftOut: 2 }]);
  });

  it('records what is excluded and what a gap leaves out as ticks do', async () => {
    const job = scheduledJob('30 2 * * *', {
      name: 'night',
      timeZone: 'Europe/Berlin',
      dst: { gap: 'skip' },
      exclude: ({ period }: { period: string }) => period === '2025-03-29',
    });
    await register(job);
    const made = await backfill(ledgerOf(), job, {
      from: at('2025-03-29T00:00:00Z'),
      to: at('2025-03-31T00:00:00Z'),
    });
    expect(made).toMatchObject({ inserted: 2, states: { skipped: 2 }, done: true });
    expect(
      await ledgerOf().sql(
        'select e.key, o.state, o.reason from outcomes o join executions e on e.id = o.execution_id order by e.id',
      ),
    ).toEqual([
      { key: 'night:2025-03-29', state: 'skipped', reason: 'excluded' },
      { key: 'night:2025-03-30', state: 'skipped', reason: 'dst-gap' },
    ]);
  });

  it('has the keys that ticks had across a changed definition', async () => {
    const first = scheduledJob('0 * * * *', { name: 'changing', timeZone: 'Europe/Berlin' });
    const second = scheduledJob('*/20 * * * *', { name: 'changing', timeZone: 'UTC' });
    await register(first);
    await tickAll(ledgerOf(), [first], after(3 * HOUR));
    await ledgerOf().stores.schedules.register([second], after(3 * HOUR + 1_000));
    await tickAll(ledgerOf(), [second], after(6 * HOUR));
    const ticked = await keys();
    expect(ticked).toHaveLength(3 + 9);
    await ledgerOf().sql('truncate executions, work, keys');
    await backfill(ledgerOf(), second, { from: after(1), to: after(6 * HOUR) });
    expect(await keys()).toEqual(ticked);
  });

  it('writes nothing when the definition has changed since it was planned', async () => {
    await register(daily);
    const planned = await newBackfill(ledgerOf().stores, daily, january);
    await ledgerOf().stores.schedules.register([scheduledJob('0 7 * * *', { name: 'daily' })], after(DAY));
    expect(await ledgerOf().stores.backfills.insert(planned, null)).toBeNull();
    expect(await ledgerOf().sql('select 1 from backfills')).toEqual([]);
    expect(await keys()).toEqual([]);
  });

  it('writes nothing for a schedule that another one has taken over meanwhile', async () => {
    await register(daily);
    const planned = await newBackfill(ledgerOf().stores, daily, january);
    const renamed = scheduledJob('0 6 * * *', { name: 'renamed', timeZone: 'Europe/Berlin', aliases: ['daily'] });
    await ledgerOf().stores.schedules.register([renamed], after(DAY));
    expect(await ledgerOf().stores.backfills.insert(planned, null)).toBeNull();
    expect(await keys()).toEqual([]);
  });

  it('is written wholly or not at all', async () => {
    await register(daily);
    const planned = await newBackfill(ledgerOf().stores, daily, { ...january, from: at('2022-01-01T00:00:00Z') });
    const executions = planned.executions.with(1_200, { ...planned.executions[1_200]!, payload: '{broken' });
    await expect(ledgerOf().stores.backfills.insert({ ...planned, executions }, null)).rejects.toThrow('json');
    for (const table of ['backfills', 'executions', 'keys']) {
      expect(await ledgerOf().sql(`select 1 from ${table}`)).toEqual([]);
    }
  });

  it('takes more periods than one statement does', async () => {
    const often = scheduledJob('* * * * *', { name: 'often' });
    await register(often);
    const made = await backfill(ledgerOf(), often, { from: after(-DAY), to: after(-1) });
    expect(made).toMatchObject({ occurrences: 1_440, inserted: 1_440, states: { pending: 1_440 } });
    const again = await backfill(ledgerOf(), often, { from: after(-DAY - HOUR), to: after(-1) });
    expect(again).toMatchObject({ occurrences: 1_500, inserted: 60, existing: 1_440 });
  });

  it('waits while its job is paused', async () => {
    await register(daily);
    const { suspensions, work } = ledgerOf().stores;
    const request = { actor: null, reason: null, now: null };
    await suspensions.pause('daily', request);
    const { inserted } = await backfill(ledgerOf(), daily, january);
    await work.admit(['job:daily']);
    expect([inserted, await ledgerOf().claim({ now: new Date() })]).toEqual([5, []]);
    await suspensions.resume('daily', { ...request, catchUp: false });
    await work.admit(['job:daily']);
    expect(await ledgerOf().claim({ now: new Date() })).toMatchObject([{ key: 'daily:2026-01-10' }]);
  });

  it('tells workers that there is something to do, unless there is not', async () => {
    await register(daily);
    const client = await ledgerOf().client();
    let hints = 0;
    client.on('notification', () => (hints += 1));
    await client.query('listen scheduled_jobs_hints');
    await backfill(ledgerOf(), daily, january);
    await expect.poll(() => hints).toBe(1);
    await backfill(ledgerOf(), daily, january);
    await client.query('select 1');
    expect(hints).toBe(1);
  });
});

describe('the progress of a backfill', () => {
  it('is counted by state and is done once all have ended, whatever retention removes', async () => {
    await register(daily);
    const { backfillId } = await backfill(ledgerOf(), daily, january);
    const { work, backfills } = ledgerOf().stores;
    await work.admit(['job:daily']);
    const [first] = await ledgerOf().claim({ now: new Date() });
    expect(await backfills.find(backfillId)).toMatchObject({ states: { pending: 4, running: 1 }, done: false });
    await work.finish([attemptRecord(first!)], { workerId: 'w1', now: null });
    await work.admit(['job:daily']);
    const [second] = await ledgerOf().claim({ now: new Date() });
    const retry = { disposition: 'retry', outcome: 'failed', runAt: new Date(Date.now() + DAY) } as const;
    await work.finish([attemptRecord(second!, retry)], { workerId: 'w1', now: null });
    expect((await backfills.find(backfillId))?.states).toEqual({ succeeded: 1, retrying: 1, pending: 3 });
    await backfills.cancel(backfillId, { actor: null, reason: null, now: null });
    expect(await backfills.find(backfillId)).toMatchObject({ states: { succeeded: 1, canceled: 4 }, done: true });
    await pruneExecution(ledgerOf(), 'daily:2026-01-10');
    expect(await backfills.find(backfillId)).toMatchObject({ inserted: 5, states: { canceled: 4 }, done: true });
  });

  it.each(['0', '999999999', '', 'x', '1:2', '99999999999999999999'])(
    'is null for %o, which nobody made',
    async (id) => {
      expect(await ledgerOf().stores.backfills.find(id)).toBeNull();
      expect(await ledgerOf().stores.backfills.cancel(id, { actor: null, reason: null, now: null })).toBeNull();
    },
  );
});
