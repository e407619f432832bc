import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { useLedger } from '../support/ledger-tests.js';
import { attemptRecord, newExecution, T0 } from '../support/ledger.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const ledgerOf = useLedger();

describe('a database that is gone', () => {
  it('is told as such with what could not be done and why, and works again when it is back', async () => {
    const proxy = await TcpProxy.to(ledgerOf().url);
    const dataSource = await ledgerOf().connect({ url: proxy.url, poolSize: 2, connectTimeoutMS: 300 });
    const { work, executions } = ledgerOf().storesOf(dataSource);
    const claim = () =>
      work.claim({ workerId: 'w', quotas: [{ queue: 'default', take: 1, start: 1 }], jobNames: [], now: T0 });
    expect(await claim()).toEqual([]);
    proxy.goSilent();
    proxy.cut();
    const error = await claim().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({
      code: 'JOBS_STORE_UNAVAILABLE',
      message: expect.stringContaining('claim executions'),
      cause: expect.any(Error),
    });
    await expect(executions.insert([newExecution()], { tx: null, now: T0 })).rejects.toThrow(StoreUnavailableError);
    await expect(work.admit(['k'])).rejects.toThrow(StoreUnavailableError);
    proxy.recover();
    await expect.poll(async () => claim().catch(() => 'still gone')).toEqual([]);
    await dataSource.destroy();
    await proxy.close();
  });

  it('outlives sessions that the server ends, busy or idle', async () => {
    const dataSource = await ledgerOf().connect({ poolSize: 3, logging: false });
    const { work } = ledgerOf().storesOf(dataSource);
    const look = () => work.look(['default'], T0);
    await Promise.all([look(), look(), look()]);
    await ledgerOf().sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = ''`,
    );
    await expect.poll(async () => look().catch(() => 'gone')).toMatchObject({ ready: false });
  });

  it('does not call errors of the statement itself an outage', async () => {
    await expect(
      ledgerOf().stores.executions.insert([newExecution({ payload: '{bad' })], { tx: null, now: T0 }),
    ).rejects.toMatchObject({ code: '22P02' });
  });

  it('keeps no connection of 200 calls that fail, in their statement or in their transaction', async () => {
    const dataSource = await ledgerOf().connect({ poolSize: 3, logging: false, applicationName: 'failing' });
    const { work, schedules, executions } = ledgerOf().storesOf(dataSource);
    const lease = { executionId: '1', leaseToken: '1' };
    const calls: readonly (() => Promise<unknown>)[] = [
      () => work.claim({ workerId: 'w', quotas: [{ queue: 'default', take: 1, start: 1 }], jobNames: [], now: T0 }),
      () => work.finish([attemptRecord(lease)], { workerId: 'w', now: T0 }),
      () => work.heartbeat([{ ...lease, startedAt: null }], T0),
      () => work.admit(['key'], T0),
      () => executions.insert([newExecution()], { tx: null, now: T0 }),
      () => schedules.register([], null).then(() => work.rescue(1, T0)),
    ];
    await ledgerOf().sql('alter table work rename to work_gone');
    try {
      const failed = Array.from({ length: 200 }, (_, index) => calls[index % calls.length]!());
      for (const outcome of await Promise.allSettled(failed)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '42P01' } });
      }
    } finally {
      await ledgerOf().sql('alter table work_gone rename to work');
    }
    const { master: pool } = dataSource.driver as unknown as { master: Record<string, number> };
    expect(pool['totalCount']).toBeLessThanOrEqual(3);
    expect([pool['idleCount'], pool['waitingCount']]).toEqual([pool['totalCount'], 0]);
    const states = await ledgerOf().sql(
      `select distinct state from pg_stat_activity where application_name = 'failing'`,
    );
    expect(states).toEqual([{ state: 'idle' }]);
  });
});
