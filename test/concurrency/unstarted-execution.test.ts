import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';

const JOBS = ['second'];
const WORKER = { pollIntervalMs: 200 };

describe('A period whose process is killed before its handler starts', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));
  afterEach(() => processes.killAll());

  it.each([
    ['once it is recorded', 'schedule.ticked', 1],
    // It was to start at once, so the claim counts as an attempt.
    ['once it is claimed', 'executions.claimed', 2],
  ] as const)(
    '%s, is run by another worker, once',
    async (_name, diesAt, attempts) => {
      const { url } = ledger();
      const killed = await processes.start({ url, jobs: JOBS, scheduler: true, worker: WORKER, diesAt });
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' });
      const recorded = await ledger().sql<{ key: string }>('select key from executions');
      expect(recorded).not.toEqual([]);
      expect(await ledger().sql('select 1 from public.effects')).toEqual([]);

      const other = await processes.start({ url, jobs: JOBS, worker: WORKER });
      await eventually(async () => (await ledger().sql('select 1 from work')).length === 0, { what: 'its end' });
      expect(await ledger().sql('select key, pid from public.effects order by id')).toEqual(
        recorded.map(({ key }) => ({ key, pid: other.pid })),
      );
      expect(await ledger().sql('select distinct state, attempts from outcomes')).toEqual([
        { state: 'succeeded', attempts },
      ]);
    },
    60_000,
  );
});
