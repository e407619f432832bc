import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution } from '../support/ledger.js';

describe('One key that is enqueued a thousand times', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));
  afterEach(() => processes.killAll());

  it('is one execution, which every caller is told of', async () => {
    const { url } = ledger();
    const all = await processes.startAll(4, { url, jobs: ['once'], worker: { pollIntervalMs: 100 } });
    const execution = newExecution({ jobName: 'once', key: 'once:1' });
    const answers = await Promise.all(all.map((one) => one.enqueue(execution, 250)));
    expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(1);
    expect(new Set(answers.flatMap(({ executionIds }) => executionIds)).size).toBe(1);
    await eventually(async () => (await ledger().sql('select 1 from outcomes')).length === 1, { what: 'its end' });
    expect(await ledger().row('select count(*)::int as calls from public.effects')).toEqual({ calls: 1 });
    expect(await ledger().row('select count(*)::int as executions from executions')).toEqual({ executions: 1 });
  }, 60_000);
});
