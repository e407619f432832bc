import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses, type BareProcess } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';

const ACCOUNTS = 100;
const KILLS = process.env['SOAK'] === '1' ? 50 : 10;
const JOBS = ['points'];

describe('A worker that is killed in the middle of its items', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), ACCOUNTS));
  afterEach(() => processes.killAll());

  /**
   * The process that holds the lease, once there is one. An execution that has lost two leases in a row without a
   * checkpoint is left alone: the third one would rightly end it.
   */
  const holder = (workers: readonly BareProcess[]) =>
    eventually(
      async () => {
        const [row] = await ledger().sql<{ worker_id: string }>(
          `select worker_id from work where phase = 'leased' and losses_in_row < 2`,
        );
        return workers.find(({ pid, isRunning }) => isRunning && row?.worker_id.split(':').at(-2) === String(pid));
      },
      { withinMs: 20_000, what: 'a worker with a lease' },
    );
  const open = async () => (await ledger().row<{ count: number }>('select count(*)::int as count from work')).count;

  it(
    'loses no period and pays no account twice, at whatever moment it dies',
    async () => {
      const seed = testSeed();
      console.log(`[TEST_SEED=${seed}]`);
      const random = seededRandom(seed);
      const { url } = ledger();
      const options = { url, jobs: JOBS, worker: { pollIntervalMs: 200, concurrency: 2 } };
      const workers = [...(await processes.startAll(3, options))];
      const scheduler = await processes.start({ url, jobs: JOBS, scheduler: true });
      const replaced: Promise<unknown>[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const victim = await holder(workers);
        const deathMs = performance.now() + random() * 250;
        await eventually(() => performance.now() >= deathMs);
        await victim.kill();
        // The others take over meanwhile.
        replaced.push(processes.start(options).then((worker) => workers.push(worker)));
      }
      await Promise.all(replaced);
      await scheduler.stop();
      await eventually(async () => (await open()) === 0, { withinMs: 60_000, what: 'the end of all executions' });

      const states = await ledger().sql(`select state, error_code, count(*)::int as count from outcomes group by 1, 2`);
      const { count } = await ledger().row<{ count: number }>('select count(*)::int as count from executions');
      expect(states).toEqual([{ state: 'succeeded', error_code: null, count }]);
      const balances = await ledger().sql('select distinct balance from public.accounts');
      expect(balances).toEqual([{ balance: 10 * count }]);
      const { lost } = await ledger().row<{ lost: number }>(
        `select count(*)::int as lost from attempts where outcome = 'lost'`,
      );
      expect(lost).toBeGreaterThan(0);
      const { processed } = await ledger().row<{ processed: number }>(
        'select sum(processed)::int as processed from outcomes',
      );
      expect(processed).toBe(ACCOUNTS * count);
    },
    KILLS * 6_000 + 60_000,
  );
});
