import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses, sessionsEnded } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';

const SOAK = process.env['SOAK'] === '1';
const RUN_MS = SOAK ? 300_000 : 12_000;
const PROCESSES = 5;
const OUTAGE_MS = SOAK ? 20_000 : 5_000;
const JOBS = ['second'];
const WORKER = { pollIntervalMs: 500 };

describe('A schedule of every second', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));
  afterEach(() => processes.killAll());

  /** Keys that are missing between the first and the last one, and how often each key's handler was called. */
  async function account() {
    const missing = await ledger().sql<{ second: Date }>(`
      select second from (
        select generate_series(min(scheduled_for), max(scheduled_for), interval '1 second') as second from executions) s
      where not exists (select 1 from executions e where e.scheduled_for = s.second)`);
    const states = await ledger().sql<{ state: string | null; count: number }>(`
      select o.state, count(*)::int as count from executions e left join outcomes o on o.execution_id = e.id group by 1`);
    const calls = await ledger().sql<{ key: string; count: number }>(`
      select e.key, count(f.id)::int as count from executions e left join public.effects f on f.key = e.key
      group by e.key having count(f.id) <> 1`);
    return { missing, states, notCalledOnce: calls };
  }

  const periods = async () =>
    (await ledger().row<{ count: number }>('select count(*)::int as count from executions')).count;
  const allEnded = async () =>
    (await ledger().row<{ open: number }>('select count(*)::int as open from work')).open === 0;

  it(
    'has every period, each handled exactly once, with five schedulers and five workers',
    async () => {
      const { url } = ledger();
      const options = { url, jobs: JOBS, readyWithinMs: 60_000 };
      const schedulers = await processes.startAll(PROCESSES, { ...options, scheduler: true });
      await processes.startAll(PROCESSES, { ...options, worker: WORKER });
      const wanted = RUN_MS / 1_000;
      await eventually(async () => (await periods()) >= wanted, {
        withinMs: RUN_MS + 15_000,
        what: `${wanted} periods`,
      });
      await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
      await eventually(allEnded, { what: 'the end of all executions' });
      const { missing, states, notCalledOnce } = await account();
      expect(missing).toEqual([]);
      expect(notCalledOnce).toEqual([]);
      expect(states).toEqual([{ state: 'succeeded', count: await periods() }]);
    },
    RUN_MS + 60_000,
  );

  it(
    'misses no period when every scheduler is killed and comes back later',
    async () => {
      const { url } = ledger();
      await processes.start({ url, jobs: JOBS, worker: WORKER });
      const schedulers = await processes.startAll(2, { url, jobs: JOBS, scheduler: true });
      await eventually(async () => (await periods()) >= 2, { what: 'the first periods' });
      await Promise.all(schedulers.map((scheduler) => scheduler.kill()));
      await sessionsEnded(ledger(), ...schedulers);
      const before = await periods();
      const { due } = await ledger().row<{ due: Date }>(`select now() + $1 * interval '1 millisecond' as due`, [
        OUTAGE_MS,
      ]);
      await eventually(async () => (await ledger().row<{ over: boolean }>('select now() > $1 as over', [due])).over, {
        withinMs: OUTAGE_MS + 5_000,
        what: 'the end of the outage',
      });
      expect(await periods()).toBe(before);
      await processes.start({ url, jobs: JOBS, scheduler: true });
      const wanted = before + OUTAGE_MS / 1_000 + 2;
      await eventually(async () => (await periods()) >= wanted, { withinMs: 20_000, what: `${wanted} periods` });
      const { missing } = await account();
      expect(missing).toEqual([]);
    },
    OUTAGE_MS + 60_000,
  );
});
