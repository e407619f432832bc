import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NewExecution } from '../../libs/scheduled-jobs/src/core/execution/new-execution.js';
import type { Inserted } from '../../libs/scheduled-jobs/src/core/ports/execution-store.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const insert = async (execution: Partial<NewExecution> = {}): Promise<Inserted> => {
  const [inserted] = await ledgerOf().stores.executions.insert([newExecution(execution)], { tx: null, now: T0 });
  return inserted!;
};
const insertMany = (count: number, execution: (n: number) => Partial<NewExecution> = () => ({})) =>
  Promise.all(Array.from({ length: count }, (_, n) => insert(execution(n))));
/** Each statement was a transaction of its own. */
const transactions = async (): Promise<number> =>
  (await ledgerOf().row<{ n: number }>('select count(distinct xmin::text)::int as n from executions')).n;
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');
const [EARLY_KEY, LATE_KEY] = ['job:a', 'job:b'].toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1)) as [
  string,
  string,
];

/** A transaction of a user that holds a key. */
async function holding(key: string) {
  const runner = ledgerOf().dataSource.createQueryRunner();
  await runner.startTransaction();
  const enqueue = (other: string) =>
    ledgerOf().stores.executions.insert([newExecution({ key: other })], { tx: runner.manager, now: T0 });
  await enqueue(key);
  const end = async (how: 'commitTransaction' | 'rollbackTransaction') => {
    await runner[how]();
    await runner.release();
  };
  return { enqueue, end };
}

describe('single inserts that come at the same time', () => {
  it('go together in few statements, each with its own answer, in the order in which they came', async () => {
    const inserted = await insertMany(200, (n) => ({ key: n % 2 === 0 ? `job:${n}` : null }));
    expect(await transactions()).toBe(2); // the first was under way when the others came
    expect(inserted.every(({ created }) => created)).toBe(true);
    const ids = inserted.map(({ executionId }) => BigInt(executionId));
    expect(ids).toEqual(ids.toSorted((a, b) => Number(a - b)));
    const stored = await ledgerOf().sql<{ id: string; key: string }>(
      'select e.id::text, e.key from executions e order by e.id',
    );
    expect(stored).toEqual(inserted.map(({ executionId: id, key }) => ({ id, key })));
  });

  it('are as many as there are callers, when each of them inserts one after the other', async () => {
    const callers = Array.from({ length: 10 }, async () => {
      for (let n = 0; n < 10; n++) await insert();
    });
    await Promise.all(callers);
    expect(await transactions()).toBeLessThanOrEqual(12);
  });

  it('are no more than 500, or 4 MiB, in one statement', async () => {
    await insertMany(1_101);
    expect(await transactions()).toBe(4);
    await ledgerOf().reset();
    const payload = JSON.stringify('x'.repeat(3 * 1024 * 1024));
    await insertMany(3, () => ({ payload }));
    expect(await transactions()).toBe(3);
  });

  it('are answered by the first of them when they have the same key', async () => {
    const inserted = await insertMany(20, () => ({ key: 'job:1' }));
    expect(inserted.map(({ created }) => created)).toEqual([true, ...Array.from({ length: 19 }, () => false)]);
    expect(new Set(inserted.map(({ executionId }) => executionId)).size).toBe(1);
  });

  it('do not fail because of one whose values cannot be stored', async () => {
    const inserts = Array.from({ length: 20 }, (_, n) => insert(n === 13 ? { payload: String.raw`"\u0000"` } : {}));
    const results = await Promise.allSettled(inserts);
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [[index, result.reason]] : []));
    expect(failed).toEqual([[13, expect.objectContaining({ code: '22P05' })]]);
    expect(await ledgerOf().row('select count(*)::int as n from work')).toEqual({ n: 19 });
  });

  it("do not wait for one whose key a user's open transaction holds", async () => {
    const { end } = await holding('job:held');
    const held = insert({ key: 'job:held' });
    const others = insertMany(20, (n) => ({ key: `job:${n}` }));
    expect((await others).every(({ created }) => created)).toBe(true);
    expect(await insert()).toMatchObject({ created: true });
    await end('rollbackTransaction');
    expect(await held).toMatchObject({ created: true });
  });

  it('are parted when the key is of one among them', async () => {
    const { end } = await holding('job:held');
    const inserts = Array.from({ length: 20 }, (_, n) => insert({ key: n === 7 ? 'job:held' : `job:${n}` }));
    const others = await Promise.all(inserts.filter((_, n) => n !== 7));
    expect(others.every(({ created }) => created)).toBe(true);
    await end('commitTransaction');
    expect(await inserts[7]).toMatchObject({ created: false, key: 'job:held' });
  });

  it("never end a user's transaction that wants a key which they hold while they wait for one of its own", async () => {
    const { enqueue, end } = await holding(LATE_KEY);
    const inserts = ['job:first', EARLY_KEY, LATE_KEY].map((key) => insert({ key }));
    await expect.poll(() => ledgerOf().lockWaits(), { interval: 5 }).toBe(1);
    expect(await enqueue(EARLY_KEY)).toMatchObject([{ key: EARLY_KEY }]);
    await end('commitTransaction');
    expect(await Promise.all(inserts)).toHaveLength(3);
  });

  it('leave no setting behind on their connection', async () => {
    const dataSource = await ledgerOf().connect({ poolSize: 1 });
    const stores = ledgerOf().storesOf(dataSource);
    await stores.executions.insert([newExecution({ key: 'job:1' })], { tx: null, now: T0 });
    expect(await dataSource.query('show lock_timeout')).toEqual([{ lock_timeout: '0' }]);
  });
});
