import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BareProcesses, type Fault } from '../support/bare-process.js';
import { createBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution } from '../support/ledger.js';

/** Where a process dies while it does its two steps, and how often the first one has been done in the end. */
const POINTS: readonly (readonly [at: string, moment: Fault['moment'], charges: number])[] = [
  ['record step', 'before', 2],
  ['record step', 'after', 1],
  ['record step in transaction', 'before', 1],
  ['record step in transaction', 'after', 1],
  ['record step in transaction', 'before the commit', 1],
  ['record step in transaction', 'after the commit', 1],
];
const JOBS = POINTS.map((_, index) => `steps-${index}`);
const WORKER = { pollIntervalMs: 200 };

const ledger = useLedger();
const processes = new BareProcesses();
beforeAll(() => createBusinessTables(ledger()));
afterEach(() => processes.killAll());

describe('Processes that are killed between the effect of a step and its record', () => {
  it('repeat it once with the same idempotency key, and never what commits with its record', async () => {
    const { url } = ledger();
    const victims = await Promise.all(
      POINTS.map(([at, moment], index) =>
        processes.start({ url, jobs: [JOBS[index]!], worker: WORKER, faults: [{ at, moment, effect: 'die' }] }),
      ),
    );
    const executions = JOBS.map((jobName) => newExecution({ jobName, key: `${jobName}:1`, leaseMs: 1_000 }));
    await ledger().stores.executions.insert(executions, { tx: null, now: null });
    const ends = await Promise.all(victims.map((victim) => victim.exitedWithin(20_000)));
    expect(ends.map(({ signal }) => signal)).toEqual(victims.map(() => 'SIGKILL'));

    const healthy = await processes.start({ url, jobs: JOBS, worker: WORKER });
    const left = () => ledger().row<{ n: number }>('select count(*)::int as n from work');
    await eventually(async () => (await left()).n === 0, { withinMs: 30_000, what: 'the end of all executions' });
    await healthy.stop();

    expect(await ledger().sql('select distinct state from outcomes')).toEqual([{ state: 'succeeded' }]);
    const effects = await ledger().sql<{ key: string; n: number }>(
      'select key, count(*)::int as n from public.effects group by 1',
    );
    const expected = POINTS.flatMap(([, , charges], index) => [
      [`charge/${JOBS[index]}:1`, charges],
      [`pay/${JOBS[index]}:1`, 1],
    ]);
    expect(Object.fromEntries(effects.map(({ key, n }) => [key, n]))).toEqual(Object.fromEntries(expected));
  }, 60_000);
});
