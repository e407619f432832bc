import type { EntityManager } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const insert = (keys: readonly string[], tx: EntityManager | null = null) =>
  ledgerOf().stores.executions.insert(
    keys.map((key) => newExecution({ key })),
    { tx, now: T0 },
  );
/** In the caller's transaction, where nothing is repeated and a deadlock comes through. */
const insertInside = (keys: readonly string[]) => ledgerOf().dataSource.transaction((tx) => insert(keys, tx));

describe('enqueue', () => {
  it('lets callers with the same keys in opposite order pass each other', async () => {
    for (let round = 0; round < 15; round++) {
      const keys = Array.from({ length: 300 }, (_, n) => `job:${round}-${n}`);
      const [a, b] = await Promise.all([insertInside(keys), insertInside(keys.toReversed())]);
      expect([...a, ...b].filter(({ created }) => created)).toHaveLength(300);
      const ids = new Map(a.map(({ key, executionId }) => [key, executionId]));
      expect(b.every(({ key, executionId }) => ids.get(key) === executionId)).toBe(true);
    }
  });

  it('makes one execution of a key that is enqueued a thousand times at once', async () => {
    const answers = (await Promise.all(Array.from({ length: 1_000 }, () => insert(['job:once'])))).flat();
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ executionId }) => executionId)).size).toBe(1);
    expect(await ledgerOf().row('select count(*)::int as n from work')).toEqual({ n: 1 });
  });

  it("waits for another caller's open transaction and takes its key over when that rolls back", async () => {
    const runner = ledgerOf().dataSource.createQueryRunner();
    await runner.startTransaction();
    await ledgerOf().stores.executions.insert([newExecution({ key: 'job:1' })], { tx: runner.manager, now: T0 });
    const second = insert(['job:1']);
    await expect.poll(() => ledgerOf().lockWaits('transactionid')).toBe(1);
    await runner.rollbackTransaction();
    await runner.release();
    expect(await second).toMatchObject([{ created: true }]);
  });
});
