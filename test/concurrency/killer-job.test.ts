import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses, type BareProcess } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution } from '../support/ledger.js';

const JOBS = ['killer', 'bystander', 'once'];
/** They start beside the killer, in the same worker, each time. */
const BYSTANDERS = 2;
/** They wait in the buffer behind them. */
const QUICK = 30;

describe('An execution that kills its worker each time', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));
  afterEach(() => processes.killAll());

  const start = () =>
    processes.start({ url: ledger().url, jobs: JOBS, worker: { pollIntervalMs: 100, concurrency: 1 + BYSTANDERS } });
  const openCount = async () => (await ledger().row<{ open: number }>('select count(*)::int as open from work')).open;

  it('fails after its third lost lease, and what runs beside it or waits behind it does not die with it', async () => {
    let worker: BareProcess = await start();
    const names = ['killer', ...Array<string>(BYSTANDERS).fill('bystander'), ...Array<string>(QUICK).fill('once')];
    const executions = names.map((jobName) => ({ ...newExecution({ jobName, maxAttempts: 50 }), leaseMs: 1_000 }));
    await ledger().stores.executions.insert(executions, { tx: null, now: null });
    let deaths = 0;
    await eventually(
      async () => {
        if (worker.isRunning) return (await openCount()) === 0;
        deaths += 1;
        worker = await start();
        return false;
      },
      { withinMs: 40_000, what: 'the end of all executions' },
    );

    const ends = await ledger().sql(`
      select job_name, state, error_code, count(*)::int as count, max(lost_leases)::int as lost
      from outcomes join executions on id = execution_id group by 1, 2, 3 order by 1`);
    expect(ends).toEqual([
      {
        job_name: 'bystander',
        state: 'succeeded',
        error_code: null,
        count: BYSTANDERS,
        lost: expect.any(Number) as number,
      },
      { job_name: 'killer', state: 'failed', error_code: 'JOBS_WORKER_LOST', count: 1, lost: 3 },
      { job_name: 'once', state: 'succeeded', error_code: null, count: QUICK, lost: expect.any(Number) as number },
    ]);
    expect(deaths).toBe(3);
  }, 60_000);
});
