import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, newExecution, T0 } from '../support/ledger.js';
import { everySecond, scheduledJob } from '../support/schedules.js';

const ledgerOf = useLedger();
let listener: pg.Client;
let stores: Stores;
let hints = 0;
beforeAll(async () => {
  listener = await ledgerOf().client();
  listener.on('notification', () => (hints += 1));
  await listener.query('listen scheduled_jobs_hints');
});
beforeEach(() => {
  stores = ledgerOf().storesOf(ledgerOf().dataSource);
  hints = 0;
});

const insert = (tx: EntityManager | null = null, execution = {}) =>
  stores.executions.insert([newExecution(execution)], { tx, now: T0 });

/** Everything sent before a notification of our own has arrived, once that has. */
async function heard(): Promise<number> {
  await ledgerOf().sql(`select pg_notify('scheduled_jobs_hints', 'mark')`);
  await expect.poll(() => hints).toBeGreaterThan(0);
  await listener.query('select 1');
  return hints - 1;
}
const expectNoHint = async () => expect(await heard()).toBe(0);

describe('hints', () => {
  it('reach listeners with the commit of an insert', async () => {
    await insert();
    expect(await heard()).toBe(1);
  });

  it('are sent once for everything a transaction inserted', async () => {
    await ledgerOf().dataSource.transaction(async (tx) => {
      for (let i = 0; i < 20; i++) await insert(tx);
    });
    await expect.poll(() => hints).toBe(1);
    expect(await heard()).toBe(1);
  });

  it('are not sent when nothing was created', async () => {
    await insert(null, { key: 'job:1' });
    await heard();
    hints = 0;
    stores = ledgerOf().storesOf(ledgerOf().dataSource);
    await insert(null, { key: 'job:1' });
    await expectNoHint();
  });

  it("follow the real commit of the caller's transaction, not a released savepoint", async () => {
    await ledgerOf().dataSource.transaction(async (tx) => {
      await insert(tx);
      await tx.transaction(async (inner) => insert(inner));
      await expectNoHint();
      hints = 0;
    });
    await expect.poll(() => hints).toBe(1);
  });

  it('are not sent for a transaction that rolled back, and the next one on its connection sends its own', async () => {
    const runner = ledgerOf().dataSource.createQueryRunner();
    await runner.startTransaction();
    await insert(runner.manager);
    await runner.rollbackTransaction();
    await runner.startTransaction();
    await runner.commitTransaction();
    await expectNoHint();
    hints = 0;
    await runner.startTransaction();
    await insert(runner.manager);
    await runner.commitTransaction();
    await expect.poll(() => hints).toBe(1);
    await runner.release();
  });

  it('travel inside a transaction that was opened by hand', async () => {
    const runner = ledgerOf().dataSource.createQueryRunner();
    await runner.query('begin');
    await insert(runner.manager);
    await expectNoHint();
    hints = 0;
    await runner.query('commit');
    expect(await heard()).toBe(1);
    await runner.release();
  });

  it('are sent by a tick that inserted something', async () => {
    await stores.schedules.register([scheduledJob({ name: 'a' })], T0);
    await stores.schedules.tick({ jobNames: ['a'], limit: 10, now: T0 }, everySecond());
    await expectNoHint();
    hints = 0;
    await stores.schedules.tick({ jobNames: ['a'], limit: 10, now: after(2_000) }, everySecond());
    expect(await heard()).toBe(1);
  });
});
