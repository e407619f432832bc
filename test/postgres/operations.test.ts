import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, storedError, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const by = { actor: 'ann', reason: 'known', now: after(5_000) };

describe('the operation store', () => {
  it('acknowledges only what is a dead letter when its turn comes, and passes over what is held', async () => {
    await ledgerOf().insert({}, {}, {}, {});
    const claimed = await ledgerOf().claim();
    const ids = claimed.map(({ executionId }) => executionId);
    await ledgerOf().stores.work.finish(
      claimed.map((one, n) =>
        n === 0
          ? attemptRecord(one)
          : attemptRecord(one, { disposition: 'failed', outcome: 'failed', error: storedError() }),
      ),
      { workerId: 'w1', now: T0 },
    );
    const { operations } = ledgerOf().stores;
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from outcomes where execution_id = $1 for update', [ids[3]]);
    await operations.acknowledge([ids[2]!], { ...by, actor: 'bob', now: T0 });
    expect(await operations.acknowledge([...ids, '999999'], by)).toEqual([ids[1]]);
    await client.query('rollback');
    expect(await ledgerOf().sql('select acknowledged_at, acknowledged_by from outcomes order by execution_id')).toEqual(
      [
        { acknowledged_at: null, acknowledged_by: null },
        { acknowledged_at: after(5_000), acknowledged_by: 'ann' },
        { acknowledged_at: T0, acknowledged_by: 'bob' },
        { acknowledged_at: null, acknowledged_by: null },
      ],
    );
    expect(await ledgerOf().sql('select execution_id, actor, action, reason, at from audit order by id desc')).toEqual([
      { execution_id: ids[1], actor: 'ann', action: 'acknowledge', reason: 'known', at: after(5_000) },
      { execution_id: ids[2], actor: 'bob', action: 'acknowledge', reason: 'known', at: T0 },
    ]);
  });

  it('acknowledges many by a filter, page by page, and each only if it is meant when its turn comes', async () => {
    const ids = (await ledgerOf().insert({}, {}, {}, {}, { queue: 'mail' })).map(({ executionId }) => executionId);
    await ledgerOf().sql('delete from work');
    await ledgerOf().sql(
      `insert into outcomes (execution_id, state, error_fingerprint, finished_at)
       select id, 'failed', 'f1', $1 from executions`,
      [T0],
    );
    const { operations } = ledgerOf().stores;
    const filter = { queue: 'default', fingerprint: 'f1', finishedTo: after(1) };
    const first = await operations.acknowledgePage({ ...by, filter, limit: 2, after: null });
    expect(first).toEqual({ acknowledged: [`job:id:${ids[0]}`, `job:id:${ids[1]}`], leftAlone: 0, next: ids[1] });
    const client = await ledgerOf().client();
    // The third one fails with another error after it was chosen and before its turn comes.
    await client.query('begin');
    await client.query('lock table audit in share mode');
    const acknowledging = operations.acknowledgePage({ ...by, filter, limit: 2, after: first.next });
    await expect.poll(() => ledgerOf().lockWaits()).toBe(1);
    await client.query(`update outcomes set error_fingerprint = 'f2' where execution_id = $1`, [ids[2]]);
    await client.query('commit');
    expect(await acknowledging).toEqual({ acknowledged: [`job:id:${ids[3]}`], leftAlone: 1, next: null });
    expect(await ledgerOf().sql('select execution_id, actor, reason from audit order by execution_id')).toEqual(
      [0, 1, 3].map((index) => ({ execution_id: ids[index], actor: 'ann', reason: 'known' })),
    );
  });

  it('finds executions by key and by id, in the order given, whatever their state', async () => {
    const [first, second] = await ledgerOf().insert({ key: 'job:1' }, {});
    const { operations } = ledgerOf().stores;
    const found = await operations.find([
      second!.key,
      'job:none',
      first!.executionId,
      'other:id:1',
      'x\u0000',
      '99999999999999999999',
      'job:1',
    ]);
    expect(found.map((one) => one?.key ?? null)).toEqual([second!.key, null, 'job:1', null, null, null, 'job:1']);
    expect(found[0]).toEqual({
      executionId: second!.executionId,
      key: second!.key,
      jobName: 'job',
      state: 'pending',
      acknowledgedAt: null,
    });
  });

  it('tells who canceled an execution first, since its last replay', async () => {
    const [{ executionId, key } = { executionId: '', key: '' }] = await ledgerOf().insert({ key: 'job:1' });
    const { operations, replays, ledger } = ledgerOf().stores;
    await ledgerOf().claim();
    for (const actor of ['ann', 'bob']) await operations.cancel(executionId, { ...by, actor });
    await ledgerOf().stores.work.rescue(10, after(60_000));
    expect(await ledger.get(key, null)).toMatchObject({
      state: 'canceled',
      canceledBy: { at: after(5_000), actor: 'ann', reason: 'known' },
    });
    expect((await ledger.why(key, null))!.text).toBe(`It was canceled by ann at ${after(60_000).toISOString()}: known`);
    await replays.replay(executionId, { ...by, force: false, corrected: null });
    expect(await ledger.get(key, null)).toMatchObject({ state: 'pending', canceledBy: null });
    await operations.cancel(executionId, { ...by, actor: 'eve' });
    expect(await ledger.get(key, null)).toMatchObject({ state: 'canceled', canceledBy: { actor: 'eve' } });
  });

  it('says of a failure that somebody has acknowledged it', async () => {
    await ledgerOf().insert({ key: 'job:1' });
    const [claimed] = await ledgerOf().claim();
    const failed = attemptRecord(claimed!, { disposition: 'failed', outcome: 'failed', error: storedError('boom') });
    await ledgerOf().stores.work.finish([failed], { workerId: 'w1', now: T0 });
    await ledgerOf().stores.operations.acknowledge([claimed!.executionId], by);
    expect((await ledgerOf().stores.ledger.why('job:1', null))!).toMatchObject({
      standing: { kind: 'ended', acknowledged: { at: after(5_000), actor: 'ann' } },
      text: expect.stringMatching(/with TypeError: boom\. ann has acknowledged it\.$/),
    });
  });
});
