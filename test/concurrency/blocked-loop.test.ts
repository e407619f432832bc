import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BareProcesses, type BareProcess } from '../support/bare-process.js';
import { createBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution } from '../support/ledger.js';

const WORKER = { pollIntervalMs: 100 };

describe('A handler that blocks the event loop of its worker', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  afterEach(() => processes.killAll());

  const start = (...jobs: string[]) => processes.start({ url: ledger().url, jobs, worker: WORKER });
  /** The one of these workers that runs the execution. */
  const startBlocking = async (
    workers: readonly BareProcess[],
    jobName: string,
    {
      leaseMs = 1_000,
      ...payload
    }: { readonly leaseMs?: number; readonly blockMs: number; readonly [name: string]: number },
  ) => {
    const execution = newExecution({ jobName, key: `${jobName}:1`, payload: JSON.stringify(payload) });
    const inserted = [{ ...execution, leaseMs }];
    await ledger().stores.executions.insert(inserted, { tx: null, now: null });
    return eventually(() => workers.find((worker) => worker.count('started') > 0), { what: 'a started handler' });
  };
  const ended = () =>
    eventually(async () => (await ledger().sql('select state, attempts, result, lost_leases from outcomes'))[0], {
      withinMs: 15_000,
      what: 'the end of the execution',
    });
  /** What the worker tells of the block; on a busy machine its loop may also be late for a moment before. */
  const longBlock = (worker: BareProcess) =>
    worker.next('loop.blocked', { where: ({ delayMs }) => Number(delayMs) > 1_500 });
  const threads = async () =>
    (
      await ledger().sql(
        `select 1 from pg_stat_activity where application_name = 'scheduled-jobs keeper thread' and datname = current_database()`,
      )
    ).length;

  it('keeps its lease for longer than two leases, and the worker tells how late its loop was', async () => {
    const workers = [await start('blocking'), await start('blocking')];
    const blocked = await startBlocking(workers, 'blocking', { leaseMs: 2_000, afterMs: 800, blockMs: 4_500 });
    const other = workers.find((worker) => worker !== blocked)!;
    expect(await ended()).toEqual({ state: 'succeeded', attempts: 1, lost_leases: 0, result: { pid: blocked.pid } });
    expect(await longBlock(blocked)).toMatchObject({ jobs: ['blocking'], renewed: 1, expired: 0 });
    expect([blocked.count('lease.lost'), other.count('started')]).toEqual([0, 0]);
    await eventually(async () => (await threads()) === 0, { what: 'the end of the connection of the thread' });
    expect(await blocked.stop()).toMatchObject({ code: 0 });
  }, 60_000);

  it('loses it behind its blockedLoopLimit: another worker runs the execution, and its own end is fenced off', async () => {
    const workers = [await start('blocking-limited'), await start('blocking-limited')];
    const blocked = await startBlocking(workers, 'blocking-limited', { blockMs: 4_000 });
    const other = workers.find((worker) => worker !== blocked)!;
    expect(await ended()).toEqual({ state: 'succeeded', attempts: 2, lost_leases: 1, result: { pid: other.pid } });
    expect(await longBlock(blocked)).toMatchObject({ jobs: ['blocking-limited'], expired: 1 });
    await blocked.next('lease.lost');
    expect(await ledger().sql('select outcome from attempts order by lease_token')).toEqual([
      { outcome: 'lost' },
      { outcome: 'succeeded' },
    ]);
    expect(blocked.count('started')).toBe(1);
  }, 60_000);

  it('is told by its signal when the loop turns again, and its worker does not run the execution beside it', async () => {
    const blocked = await start('blocking-limited');
    // It has no such job, but takes over for all.
    await start('once');
    await startBlocking([blocked], 'blocking-limited', { blockMs: 4_000, thenMs: 1_000 });
    expect(await ended()).toEqual({ state: 'succeeded', attempts: 2, lost_leases: 1, result: { pid: blocked.pid } });
    expect(blocked.messages.map(({ type }) => type).filter((type) => /started|settled/.test(type))).toEqual([
      'started',
      'settled',
      'started',
    ]);
    expect(await blocked.next('settled')).toMatchObject({ aborted: true });
  }, 60_000);
});
