import { describe, expect, it } from 'vitest';
import { eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { useProxiedLedger } from '../support/proxied-ledger.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

describe('A worker whose database goes away', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);
  const away = useProxiedLedger(ledger, { poolSize: 10, applicationName: 'away' });
  const startBehindProxy = (job: (run: Run) => unknown, lease = '1s') =>
    startWorker({ job: { handler: job, lease } }, { stores: away().stores });

  it('records the result after it is back, while the lease is valid', async () => {
    const end = gate();
    const worker = await startBehindProxy(async () => {
      await end.passed;
      return 'kept';
    }, '10s');
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    away().proxy.goSilent();
    away().proxy.cut();
    end.open();
    await worker.recorder.next('service.failed', { where: ({ service }) => service === 'finisher' });
    away().proxy.recover();
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 1, result: 'kept' });
  });

  it('gives up a result that it cannot record before its lease has run out; the execution runs again', async () => {
    const end = gate();
    const worker = await startBehindProxy(async (run) => {
      if (run.attempt > 1) return 'second';
      await end.passed;
      return 'first';
    });
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    away().proxy.goSilent();
    away().proxy.cut();
    end.open();
    expect(await worker.recorder.next('lease.lost')).toMatchObject({ executionId: id, attempt: 1 });
    away().proxy.recover();
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 2, result: 'second' });
    expect((await worker.attempts(id!)).map(({ outcome }) => outcome)).toEqual(['lost', 'succeeded']);
  });

  it('tells its handlers that the lease is lost when it cannot have been renewed, and goes on when it is back', async () => {
    const reasons: unknown[] = [];
    const worker = await startBehindProxy(async (run) => {
      if (run.attempt > 1) return 'second';
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      reasons.push(run.signal.reason);
      return 'first';
    });
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    away().proxy.goSilent();
    await worker.recorder.next('lease.lost');
    expect(reasons).toMatchObject([{ code: 'JOBS_LEASE_LOST' }]);
    away().proxy.cut();
    away().proxy.recover();
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 2, result: 'second' });
  });

  it('survives the end of all its connections', async () => {
    const worker = await startBehindProxy(() => 'done');
    await worker.run('job');
    for (let round = 0; round < 3; round++) {
      await ledger().sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'away'`);
      expect(await worker.run('job')).toMatchObject({ state: 'succeeded' });
    }
  });

  it('fails loudly, again and again, when its tables are gone, and goes on when they are back', async () => {
    const worker = await startBehindProxy(() => 'done');
    await ledger().sql('alter table work rename to work_gone');
    try {
      const { error } = await worker.recorder.next('service.failed', { where: ({ service }) => service === 'worker' });
      expect(error).toMatchObject({ code: '42P01', message: expect.stringContaining('does not exist') as string });
    } finally {
      await ledger().sql('alter table work_gone rename to work');
    }
    expect(await worker.run('job')).toMatchObject({ state: 'succeeded' });
  });

  it('says little and asks seldom while it is away', async () => {
    const worker = await startBehindProxy(() => 'done');
    await worker.run('job');
    away().proxy.goSilent();
    away().proxy.cut();
    const { until } = await ledger().row<{ until: Date }>(`select now() + interval '3 seconds' as until`);
    await eventually(async () => (await ledger().row<{ over: boolean }>('select now() > $1 as over', [until])).over);
    const failures = worker.recorder.of('service.failed');
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThan(30);
    away().proxy.recover();
    expect(await worker.run('job')).toMatchObject({ state: 'succeeded' });
  });
});
