import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, newExecution, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const insert = (...executions: Parameters<typeof newExecution>[0][]) =>
  ledgerOf().stores.executions.insert(executions.map(newExecution), { tx: null, now: T0 });

describe('insert', () => {
  it('answers in the order given, with the key that was made where none was', async () => {
    const [a, b] = await insert({ key: 'job:b' }, {});
    expect(a).toEqual({ executionId: expect.any(String), key: 'job:b', created: true });
    expect(b).toEqual({ executionId: b!.executionId, key: `job:id:${b!.executionId}`, created: true });
  });

  it('does nothing for nothing', async () => {
    expect(await insert()).toEqual([]);
  });

  it('creates one execution for a key, within a call and across calls, and names it', async () => {
    const [a, again, c] = await insert({ key: 'job:1' }, { key: 'job:1' }, { key: 'job:2' });
    const [later] = await insert({ key: 'job:1', payload: '{"other":true}' });
    expect([a!.created, again!.created, c!.created, later!.created]).toEqual([true, false, true, false]);
    expect(again!.executionId).toBe(a!.executionId);
    expect(later!.executionId).toBe(a!.executionId);
    expect(await ledgerOf().row('select count(*)::int as n from executions')).toEqual({ n: 2 });
  });

  it('never creates a key again whose execution is gone', async () => {
    const [first] = await insert({ key: 'job:1' });
    await ledgerOf().sql('delete from work');
    await ledgerOf().sql('delete from executions');
    const [again] = await insert({ key: 'job:1' });
    expect(again).toEqual({ executionId: first!.executionId, key: 'job:1', created: false });
    expect(await ledgerOf().stores.executions.existing([first!.executionId], null)).toEqual([]);
  });

  it('lets work wait for its time, then for its slot, and is ready otherwise', async () => {
    await insert(
      { key: 'job:ready' },
      { key: 'job:past', scheduledFor: after(-1) },
      { key: 'job:slot', concurrencyKey: 'k' },
      { key: 'job:later', runAt: after(1) },
      { key: 'job:later-slot', scheduledFor: after(1), concurrencyKey: 'k' },
    );
    const rows = await ledgerOf().sql(
      'select e.key, w.phase, w.run_at, e.scheduled_for from work w join executions e on e.id = w.execution_id order by e.id',
    );
    expect(rows).toEqual([
      { key: 'job:ready', phase: 'ready', run_at: T0, scheduled_for: T0 },
      { key: 'job:past', phase: 'ready', run_at: after(-1), scheduled_for: after(-1) },
      { key: 'job:slot', phase: 'waiting', run_at: T0, scheduled_for: T0 },
      { key: 'job:later', phase: 'delayed', run_at: after(1), scheduled_for: after(1) },
      { key: 'job:later-slot', phase: 'delayed', run_at: after(1), scheduled_for: after(1) },
    ]);
  });

  it('keeps the nominal time apart from a later run time', async () => {
    await insert({ scheduledFor: T0, runAt: after(500) });
    expect(
      await ledgerOf().row(
        'select e.scheduled_for, w.run_at, w.deadline_at from executions e join work w on w.execution_id = e.id',
      ),
    ).toEqual({
      scheduled_for: T0,
      run_at: after(500),
      deadline_at: after(500 + 86_400_000),
    });
  });

  it('stores those that are plain and alike as it stores them among others, in their order', async () => {
    const alike = [
      { payload: '{"n":12345678901234567890,"a":1,"a":2}' },
      { scheduledFor: after(-1) },
      { scheduledFor: after(1), payload: '"later"' },
    ].map((one) => ({
      ...one,
      jobName: 'plain',
      queue: 'mail',
      priority: 3,
      maxAttempts: 2,
      leaseMs: 5_000,
      actor: 'me',
    }));
    const stored = async () => {
      const rows = await ledgerOf().sql<{ execution: object; work: object }>(
        `select to_jsonb(e) - 'id' - 'key' as execution, to_jsonb(w) - 'execution_id' as work, e.payload::text as payload,
           e.key = 'plain:id:' || e.id as has_made_key
         from executions e join work w on w.execution_id = e.id where e.job_name = 'plain' order by e.id`,
      );
      await ledgerOf().reset();
      return rows;
    };
    const answers = await insert(...alike);
    expect(answers).toEqual(
      answers.map(({ executionId: id }) => ({ executionId: id, key: `plain:id:${id}`, created: true })),
    );
    const rows = await stored();
    expect(rows).toHaveLength(3);
    await insert(...alike, { jobName: 'other' });
    expect(await stored()).toEqual(rows);
  });

  it('answers for each of many plain ones with the id of its own payload', async () => {
    const answers = await insert(...Array.from({ length: 300 }, (_, n) => ({ payload: String(n) })));
    const stored = await ledgerOf().sql<{ n: number }>(
      'select payload::int as n from executions order by array_position($1::bigint[], id)',
      [answers.map(({ executionId }) => executionId)],
    );
    expect(stored.map(({ n }) => n)).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  it('records what is born skipped as an outcome and makes no work of it', async () => {
    const [row] = await insert({ key: 'job:1', skip: 'excluded', trigger: 'schedule' });
    expect(row!.created).toBe(true);
    expect(await ledgerOf().sql('select state, reason, attempts, finished_at from outcomes')).toEqual([
      { state: 'skipped', reason: 'excluded', attempts: 0, finished_at: T0 },
    ]);
    expect(await ledgerOf().sql('select 1 from work')).toEqual([]);
  });

  it('takes the time of the database where none is bound, to the millisecond', async () => {
    const before = await ledgerOf().row<{ now: Date }>('select now() as now');
    await ledgerOf().stores.executions.insert([newExecution()], { tx: null, now: null });
    const row = await ledgerOf().row<{ scheduled_for: Date; rest: string }>(
      `select scheduled_for, extract(microseconds from scheduled_for)::bigint % 1000 as rest from executions`,
    );
    expect(row.scheduled_for.getTime()).toBeGreaterThanOrEqual(before.now.getTime());
    expect(Number(row.rest)).toBe(0);
  });

  it('gives the state and the result of earlier executions', async () => {
    const [open, ended] = await insert({ key: 'job:1' }, { key: 'job:2' });
    const claimed = (await ledgerOf().claim()).find(({ key }) => key === 'job:2')!;
    await ledgerOf().stores.work.finish(
      [
        {
          ...claimed,
          disposition: 'succeeded',
          outcome: 'succeeded',
          startedAt: T0,
          finishedAt: after(1),
          runAt: null,
          reason: null,
          result: '{"rows":3}',
          resultNote: null,
          counts: { processed: 0, failed: 0, skipped: 0 },
          error: null,
        },
      ],
      { workerId: 'w1', now: T0 },
    );
    const existing = await ledgerOf().stores.executions.existing(
      [open!.executionId, ended!.executionId, '999999999'],
      null,
    );
    expect(existing.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { executionId: open!.executionId, key: 'job:1', state: null, result: null },
      { executionId: ended!.executionId, key: 'job:2', state: 'succeeded', result: { rows: 3 } },
    ]);
  });
});

describe("insert in the caller's transaction", () => {
  it('commits and rolls back with it', async () => {
    const { dataSource, stores } = ledgerOf();
    const put = (key: string, fail: boolean) =>
      dataSource.transaction(async (tx) => {
        await stores.executions.insert([newExecution({ key })], { tx, now: T0 });
        expect(await ledgerOf().sql('select 1 from executions where key = $1', [key])).toEqual([]);
        if (fail) throw new Error('no');
      });
    await put('job:kept', false);
    await expect(put('job:gone', true)).rejects.toThrow('no');
    expect(await ledgerOf().sql('select key from executions')).toEqual([{ key: 'job:kept' }]);
    expect((await insert({ key: 'job:gone' }))[0]!.created).toBe(true);
  });

  it('sees what the transaction inserted before', async () => {
    const { dataSource, stores } = ledgerOf();
    await dataSource.transaction(async (tx) => {
      const [first] = await stores.executions.insert([newExecution({ key: 'job:1' })], { tx, now: T0 });
      const [again] = await stores.executions.insert([newExecution({ key: 'job:1' })], { tx, now: T0 });
      expect(again).toEqual({ executionId: first!.executionId, key: 'job:1', created: false });
      expect(await stores.executions.existing([first!.executionId], tx)).toHaveLength(1);
    });
  });

  it('passes the errors of that transaction on as they are', async () => {
    const { dataSource, stores } = ledgerOf();
    await expect(
      dataSource.transaction(async (tx) => {
        await tx.query('select 1/0').catch(() => {});
        await stores.executions.insert([newExecution()], { tx, now: T0 });
      }),
    ).rejects.toMatchObject({ code: '25P02' });
  });

  it('joins a transaction that was opened by hand', async () => {
    const runner = ledgerOf().dataSource.createQueryRunner();
    await runner.query('begin');
    await ledgerOf().stores.executions.insert([newExecution({ key: 'job:raw' })], { tx: runner.manager, now: T0 });
    await runner.query('rollback');
    await runner.release();
    expect(await ledgerOf().sql('select 1 from executions')).toEqual([]);
  });

  it('uses the pool when the manager is bound to no transaction', async () => {
    const { dataSource, stores } = ledgerOf();
    await stores.executions.insert([newExecution()], { tx: dataSource.manager, now: T0 });
    expect(await ledgerOf().row('select count(*)::int as n from executions')).toEqual({ n: 1 });
  });
});
