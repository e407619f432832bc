import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses, sessionsEnded } from '../support/bare-process.js';
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
    // A worker of its own could claim the period before the process has heard that it is recorded.
    ['once it is recorded', 'schedule.ticked', undefined],
    ['once it is claimed', 'executions.claimed', WORKER],
  ] as const)(
    '%s, is run by another worker, once',
    async (_name, diesAt, worker) => {
      const { url } = ledger();
      const killed = await processes.start({ url, jobs: JOBS, scheduler: true, worker, diesAt });
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' });
      await sessionsEnded(ledger(), killed);
      const recorded = await ledger().sql<{ key: string; isClaimed: boolean }>(
        `select e.key, w.phase = 'leased' as "isClaimed" from executions e join work w on w.execution_id = e.id order by e.id`,
      );
      expect(recorded[0]).toMatchObject({ isClaimed: worker !== undefined });
      expect(await ledger().sql('select 1 from public.effects')).toEqual([]);

      const other = await processes.start({ url, jobs: JOBS, worker: WORKER });
      await eventually(async () => (await ledger().sql('select 1 from work')).length === 0, { what: 'its end' });
      expect(await ledger().sql('select key, pid from public.effects order by id')).toEqual(
        recorded.map(({ key }) => ({ key, pid: other.pid })),
      );
      const outcomes = await ledger().sql(
        'select e.key, o.state, o.attempts from executions e left join outcomes o on o.execution_id = e.id order by e.id',
      );
      // What was claimed was to start at once, so that its claim counts as an attempt.
      expect(outcomes).toEqual(
        recorded.map(({ key, isClaimed }) => ({ key, state: 'succeeded', attempts: isClaimed ? 2 : 1 })),
      );
    },
    60_000,
  );
});
