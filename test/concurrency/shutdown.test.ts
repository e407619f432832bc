import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution } from '../support/ledger.js';

const execution = (jobName: string, key: string) => ({
  ...newExecution({ jobName, key: `${jobName}:${key}` }),
  leaseMs: 1_000,
});

describe('A worker that gets SIGTERM', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));
  afterEach(() => processes.killAll());

  const states = () =>
    ledger().sql(`
      select e.key, coalesce(o.state, w.phase) as state, coalesce(o.attempts, w.attempt) as attempts
      from executions e left join outcomes o on o.execution_id = e.id left join work w on w.execution_id = e.id order by e.id`);

  it('claims nothing more, lets its handlers finish, records them, and exits with code 0', async () => {
    const { url } = ledger();
    const worker = await processes.start({ url, jobs: ['slow'], worker: { pollIntervalMs: 100, concurrency: 10 } });
    for (const key of ['1', '2', '3'])
      await ledger().stores.executions.insert([execution('slow', key)], { tx: null, now: null });
    await eventually(() => worker.count('started') === 3, { what: 'three handlers' });
    const stopping = worker.stop();
    await worker.next('worker.draining');
    await ledger().stores.executions.insert([execution('slow', '4')], { tx: null, now: null });
    const { code, tookMs } = await stopping;
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(5_000);
    // The handlers last two leases: they were renewed during the drain, and nobody took them over.
    expect(await states()).toEqual([
      { key: 'slow:1', state: 'succeeded', attempts: 1 },
      { key: 'slow:2', state: 'succeeded', attempts: 1 },
      { key: 'slow:3', state: 'succeeded', attempts: 1 },
      { key: 'slow:4', state: 'ready', attempts: 0 },
    ]);
  }, 60_000);

  it('hands back what does not end, which counts as no attempt and is run by another worker', async () => {
    const { url } = ledger();
    const worker = { pollIntervalMs: 100, shutdownTimeoutMs: 2_000 };
    const first = await processes.start({ url, jobs: ['endless'], worker });
    await first.enqueue(execution('endless', '1'));
    await first.next('started');
    const { code, tookMs } = await first.stop();
    expect(code).toBe(0);
    expect(tookMs).toBeGreaterThan(2_000);
    expect(await states()).toEqual([{ key: 'endless:1', state: 'ready', attempts: 0 }]);
    const second = await processes.start({ url, jobs: ['endless'], worker });
    await eventually(async () => (await ledger().sql('select 1 from outcomes')).length === 1, { what: 'the end' });
    expect(await states()).toEqual([{ key: 'endless:1', state: 'succeeded', attempts: 1 }]);
    expect(await ledger().sql('select outcome, attempt, worker_id from attempts order by lease_token')).toEqual([
      { outcome: 'interrupted', attempt: 1, worker_id: expect.stringContaining(`:${first.pid}:`) as string },
      { outcome: 'succeeded', attempt: 1, worker_id: expect.stringContaining(`:${second.pid}:`) as string },
    ]);
  }, 60_000);
});
