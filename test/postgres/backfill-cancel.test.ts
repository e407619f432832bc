import { describe, expect, it } from 'vitest';
import { backfill } from '../support/backfills.js';
import { scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const DAY = 86_400_000;
const register = (job: ReturnType<typeof scheduledJob>) => ledgerOf().stores.schedules.register([job], T0);
const at = (text: string) => new Date(text);
const daily = scheduledJob('0 6 * * *', { name: 'daily', timeZone: 'Europe/Berlin' });
const january = { from: at('2026-01-10T00:00:00Z'), to: at('2026-01-14T12:00:00Z') };

describe('the cancel of a backfill', () => {
  const request = { actor: 'bob', reason: 'wrong year', now: null };

  it('ends what has not started and lets go on what runs', async () => {
    await register(daily);
    const { backfillId } = await backfill(ledgerOf(), daily, january);
    const { work, backfills } = ledgerOf().stores;
    await work.admit(['job:daily']);
    const [running] = await ledgerOf().claim({ now: new Date() });
    const canceled = await backfills.cancel(backfillId, request);
    expect(canceled).toMatchObject({
      canceledNow: 4,
      canceledAt: expect.any(Date),
      canceledBy: 'bob',
      cancelReason: 'wrong year',
      states: { running: 1, canceled: 4 },
      done: false,
    });
    expect(await work.finish([attemptRecord(running!)], { workerId: 'w1', now: null })).toMatchObject([
      { disposition: 'succeeded' },
    ]);
    expect(await backfills.find(backfillId)).toMatchObject({ states: { succeeded: 1, canceled: 4 }, done: true });
  });

  it('is told of an execution that it ended: which backfill, by whom and why', async () => {
    await register(daily);
    const { backfillId } = await backfill(ledgerOf(), daily, january);
    const { backfills, ledger } = ledgerOf().stores;
    await backfills.cancel(backfillId, { ...request, now: T0 });
    expect(await ledger.why('daily:2026-01-12', null)).toMatchObject({
      standing: { state: 'canceled', canceledBackfill: { backfillId, actor: 'bob', reason: 'wrong year' } },
      text: `It was canceled with backfill ${backfillId} by bob at ${T0.toISOString()}: wrong year`,
    });
  });

  it('may be repeated: the first one is on record, and what came back meanwhile ends', async () => {
    await register(daily);
    const { backfillId } = await backfill(ledgerOf(), daily, january);
    const { work, backfills } = ledgerOf().stores;
    await work.admit(['job:daily']);
    const [running] = await ledgerOf().claim({ now: new Date() });
    const first = await backfills.cancel(backfillId, { ...request, now: T0 });
    await work.finish([attemptRecord(running!, { disposition: 'released', outcome: null })], {
      workerId: 'w1',
      now: null,
    });
    const second = await backfills.cancel(backfillId, { actor: 'eve', reason: 'again', now: after(1) });
    expect(first).toMatchObject({ canceledNow: 4, canceledAt: T0 });
    expect(second).toMatchObject({
      canceledNow: 1,
      canceledAt: T0,
      canceledBy: 'bob',
      cancelReason: 'wrong year',
      states: { canceled: 5 },
    });
  });

  it('gives the slot that it frees to who waits next', async () => {
    await register(daily);
    const { backfillId } = await backfill(ledgerOf(), daily, january);
    await ledgerOf().stores.work.admit(['job:daily']);
    const [next] = await ledgerOf().insert({ jobName: 'daily', key: 'daily:manual:1', concurrencyKey: 'job:daily' });
    await ledgerOf().stores.backfills.cancel(backfillId, request);
    expect(await ledgerOf().sql('select execution_id, phase, slot from work')).toEqual([
      { execution_id: next!.executionId, phase: 'ready', slot: 1 },
    ]);
  });

  it('asks again for what another statement holds', async () => {
    await register(daily);
    const { backfillId } = await backfill(ledgerOf(), daily, january);
    const client = await ledgerOf().client();
    await client.query('begin');
    const held = `select 1 from work where execution_id = (select min(execution_id) from work) for update`;
    await client.query(held);
    const canceling = ledgerOf().stores.backfills.cancel(backfillId, request);
    await expect.poll(async () => (await ledgerOf().sql('select 1 from outcomes')).length).toBe(4);
    await client.query('rollback');
    expect(await canceling).toMatchObject({ canceledNow: 5, states: { canceled: 5 } });
  });

  it('cancels more executions than one statement does', async () => {
    const often = scheduledJob('* * * * *', { name: 'often' });
    await register(often);
    const { backfillId } = await backfill(ledgerOf(), often, { from: after(-2 * DAY), to: after(-1) });
    expect(await ledgerOf().stores.backfills.cancel(backfillId, request)).toMatchObject({
      canceledNow: 2_880,
      states: { canceled: 2_880 },
    });
  });

  it('touches no other execution of the job', async () => {
    await register(daily);
    const first = await backfill(ledgerOf(), daily, january);
    const second = await backfill(ledgerOf(), daily, { ...january, from: at('2026-01-08T00:00:00Z') });
    await ledgerOf().stores.backfills.cancel(first.backfillId, request);
    expect(await ledgerOf().stores.backfills.find(second.backfillId)).toMatchObject({ states: { pending: 2 } });
  });
});
