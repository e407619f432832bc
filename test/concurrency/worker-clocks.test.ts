import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution } from '../support/ledger.js';

const TEN_MINUTES_MS = 600_000;
const WORKER = { pollIntervalMs: 100 };

describe('Workers whose own clocks are ten minutes fast and slow', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));
  afterEach(() => processes.killAll());

  const start = (clockOffsetMs: number) =>
    processes.start({ url: ledger().url, jobs: ['slow'], worker: WORKER, clockOffsetMs });
  const execution = (key: string) => ({
    ...newExecution({ jobName: 'slow', key: `slow:${key}` }),
    leaseMs: 1_000,
  });

  it('leave one another their live leases: the clock of the database decides', async () => {
    const slow = await start(-TEN_MINUTES_MS);
    await slow.enqueue(execution('1'));
    await slow.next('started');
    const fast = await start(TEN_MINUTES_MS);
    await fast.enqueue(execution('2'));
    // Each lasts two leases.
    await eventually(async () => (await ledger().sql('select 1 from outcomes')).length === 2, { what: 'both ends' });
    const ended = await ledger().sql('select state, attempts, lost_leases from outcomes');
    expect(ended).toEqual(ended.map(() => ({ state: 'succeeded', attempts: 1, lost_leases: 0 })));
    const { off } = await ledger().row<{ off: number }>(
      'select max(abs(extract(epoch from finished_at - clock_timestamp())))::float8 as off from outcomes',
    );
    expect(off).toBeLessThan(30);
  }, 60_000);
});
