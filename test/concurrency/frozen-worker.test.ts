import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution } from '../support/ledger.js';

const JOBS = ['frozen'];
const WORKER = { pollIntervalMs: 200 };

describe('A frozen worker that wakes after its lease moved on', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));
  afterEach(() => processes.killAll());

  it('changes nothing: the result of the other worker stands, its transaction rolls back, its signal has fired', async () => {
    const { url } = ledger();
    const frozen = await processes.start({ url, jobs: JOBS, worker: WORKER });
    await frozen.enqueue({ ...newExecution({ jobName: 'frozen', key: 'frozen:1' }), leaseMs: 1_000 });
    await frozen.next('in-transaction');
    frozen.signal('SIGSTOP');
    const other = await processes.start({ url, jobs: JOBS, worker: WORKER });
    const ended = await eventually(
      async () => (await ledger().sql<{ state: string; result: object }>('select state, result from outcomes'))[0],
      { withinMs: 15_000, what: 'the end by the other worker' },
    );
    expect(ended).toEqual({ state: 'succeeded', result: { pid: other.pid } });
    frozen.signal('SIGCONT');
    expect(await frozen.next('signal-fired')).toMatchObject({ code: 'JOBS_LEASE_LOST' });
    await frozen.next('rolled-back');
    await frozen.next('lease.lost');
    expect(await frozen.stop()).toMatchObject({ code: 0 });

    expect(await ledger().row('select state, result, attempts, lost_leases from outcomes')).toEqual({
      state: 'succeeded',
      result: { pid: other.pid },
      attempts: 2,
      lost_leases: 1,
    });
    const attempts = await ledger().sql('select outcome, worker_id from attempts order by lease_token');
    expect(attempts).toEqual([
      { outcome: 'lost', worker_id: expect.stringContaining(`:${frozen.pid}:`) as string },
      { outcome: 'succeeded', worker_id: expect.stringContaining(`:${other.pid}:`) as string },
    ]);
    expect(await ledger().row('select balance from public.accounts where id = 1')).toEqual({ balance: 10 });
  }, 60_000);
});
