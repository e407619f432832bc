import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses, type Fault } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution } from '../support/ledger.js';

const ACCOUNTS = 30;
/** Where a process dies, each with an execution of a job of its own. */
const POINTS: readonly (readonly [job: string, at: string, moment: Fault['moment'], nth: number])[] = [
  ['steps-0', 'record step', 'before', 1],
  ['steps-1', 'record step', 'after', 1],
  ['steps-2', 'record step in transaction', 'before the commit', 1],
  ['steps-3', 'record step in transaction', 'after the commit', 1],
  ['frozen-set-4', 'store frozen', 'after the commit', 1],
  ['frozen-set-5', 'take frozen', 'before the commit', 2],
];
const JOBS = POINTS.map(([job]) => job);

const ledger = useLedger();
const processes = new BareProcesses();
beforeAll(() => createBusinessTables(ledger()));
beforeEach(() => resetBusinessTables(ledger(), ACCOUNTS));
afterEach(() => processes.killAll());

async function killAll(): Promise<void> {
  const victims = await Promise.all(
    POINTS.map(([job, at, moment, nth]) =>
      processes.start({ ...shared(), jobs: [job], faults: [{ at, moment, nth, effect: 'die' }] }),
    ),
  );
  const executions = JOBS.map((jobName) => newExecution({ jobName, key: `${jobName}:1`, leaseMs: 1_000 }));
  await ledger().stores.executions.insert(executions, { tx: null, now: null });
  const ends = await Promise.all(victims.map((victim) => victim.exitedWithin(20_000)));
  expect(ends.map(({ signal }) => signal)).toEqual(victims.map(() => 'SIGKILL'));
}

async function finish(): Promise<void> {
  const healthy = await processes.start({ ...shared(), jobs: JOBS });
  const left = () => ledger().row<{ n: number }>('select count(*)::int as n from work');
  await eventually(async () => (await left()).n === 0, { withinMs: 30_000, what: 'the end of all executions' });
  await healthy.stop();
  expect(await ledger().sql('select distinct state from outcomes')).toEqual([{ state: 'succeeded' }]);
}

const shared = () => ({ url: ledger().url, worker: { pollIntervalMs: 200 } });

describe('Processes that are killed around the record of a step, and in the walk of a frozen set', () => {
  it('repeat a step once with its idempotency key, and never what commits with its record or its chunk', async () => {
    await killAll();
    await finish();
    const effects = await ledger().sql<{ key: string; n: number }>(
      'select key, count(*)::int as n from public.effects group by 1',
    );
    expect(Object.fromEntries(effects.map(({ key, n }) => [key, n]))).toEqual({
      'charge/steps-0:1': 2,
      'charge/steps-1:1': 1,
      'charge/steps-2:1': 1,
      'charge/steps-3:1': 1,
      'pay/steps-0:1': 1,
      'pay/steps-1:1': 1,
      'pay/steps-2:1': 1,
      'pay/steps-3:1': 1,
    });
    const balances = await ledger().sql('select distinct balance from public.accounts');
    expect(balances).toEqual([{ balance: 20 }]);
    expect(await ledger().sql('select 1 from frozen_items')).toEqual([]);
  }, 60_000);
});
