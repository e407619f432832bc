import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BareProcesses, type BareProcess } from '../support/bare-process.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { allCaughtUp, FLAWLESS, periodAccount, periodCounts } from '../support/period-account.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';

const KILLS = process.env['SOAK'] === '1' ? 100 : 15;
const SCHEDULERS = 3;
const JOBS = [...Array.from({ length: 6 }, (_, n) => `second-${n + 1}`), 'two-seconds'];

describe('Schedulers that are killed', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  beforeAll(() => slowInserts());
  afterEach(() => processes.killAll());

  /** Stretches a tick to some 50 ms, so that many a kill comes in the middle of one. */
  const slowInserts = () =>
    ledger().sql(`
      create function public.slow_insert() returns trigger language plpgsql as 'begin perform pg_sleep(0.005); return new; end';
      create trigger slow_insert before insert on executions for each row execute function public.slow_insert()`);

  /** The id of a process in the middle of a tick. */
  async function tickingPid(): Promise<number | undefined> {
    const [row] = await ledger().sql<{ name: string }>(`
      select application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'bare-%' and backend_xid is not null limit 1`);
    return row === undefined ? undefined : Number(row.name.slice('bare-'.length));
  }

  /** Any of the processes at a random moment, or one in the middle of a tick: about as often the one as the other. */
  async function nextVictim(schedulers: readonly BareProcess[], random: () => number): Promise<BareProcess> {
    const isTicking = random() < 0.5;
    const momentMs = performance.now() + random() * 500;
    return eventually(
      async () => {
        const running = schedulers.filter(({ isRunning }) => isRunning);
        if (!isTicking) return performance.now() >= momentMs && running[Math.floor(random() * running.length)];
        const pid = await tickingPid();
        return running.find((one) => one.pid === pid);
      },
      { withinMs: 30_000, what: 'a scheduler to kill' },
    );
  }

  /** Looks again and again from another session; gives how often, and the looks that showed something wrong. */
  function watch() {
    const wrong: unknown[] = [];
    const over = new AbortController();
    let looks = 0;
    const look = async () => {
      const account = await periodAccount(ledger());
      if (Object.values(account).some(({ length }) => length > 0)) wrong.push(account);
      looks++;
      return over.signal.aborted;
    };
    const looking = eventually(look, { withinMs: KILLS * 10_000 + 60_000 });
    return async () => {
      over.abort();
      await looking;
      return { wrong, looks };
    };
  }

  it(
    'leave out no period and double none, and no cursor is ever seen ahead of what is recorded',
    async () => {
      const seed = testSeed();
      console.log(`[TEST_SEED=${seed}]`);
      const random = seededRandom(seed);
      const options = { url: ledger().url, jobs: JOBS, scheduler: true, readyWithinMs: 60_000 };
      const schedulers = [...(await processes.startAll(SCHEDULERS, options))];
      const endWatch = watch();
      const replaced: Promise<unknown>[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        await (await nextVictim(schedulers, random)).kill();
        replaced.push(processes.start(options).then((scheduler) => schedulers.push(scheduler)));
      }
      await Promise.all(replaced);
      await allCaughtUp(ledger(), { withinMs: 30_000 });
      const { wrong, looks } = await endWatch();
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(looks).toBeGreaterThan(KILLS);
      expect(await periodAccount(ledger())).toEqual(FLAWLESS);
      const counts = await periodCounts(ledger());
      expect(Object.keys(counts)).toEqual(JOBS);
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(1);
    },
    KILLS * 10_000 + 60_000,
  );
});
