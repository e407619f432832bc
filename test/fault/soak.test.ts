import { describe, expect, it } from 'vitest';
import type { BareProcess } from '../support/bare-process.js';
import { eventually } from '../support/engine.js';
import { timePasses } from '../support/period-account.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';
import { NOTHING_WRONG, useFaultyWorld } from './faulty-world.js';

const SECONDS = process.env['SOAK'] === '1' ? 600 : 30;
const OVERLAPPING = ['allow', 'queue', 'queue-latest', 'skip', 'replace'].map((policy) => `overlapping-${policy}`);
const JOBS = ['points', 'transfer', 'slow', ...OVERLAPPING];
const MAX_HEAP_GROWTH = 16 * 2 ** 20;

describe('Workers that are killed at random while jobs of all overlap policies fail', () => {
  const world = useFaultyWorld();

  it(
    'lose nothing, repeat no effect, keep their memory and leave no session behind',
    async () => {
      const seed = testSeed();
      console.log(`[TEST_SEED=${seed}]`);
      const random = seededRandom(seed);
      const start = (): Promise<BareProcess> => world.start({ jobs: JOBS });
      const survivor = await start();
      const victims = [await start(), await start()];
      let early: number | null = null;
      const startedMs = performance.now();
      const goneBy = (): number => (performance.now() - startedMs) / 1_000 / SECONDS;
      while (goneBy() < 1) {
        if (goneBy() > 1 / 3) early ??= await survivor.heapUsed();
        await world.askFor({ transfers: 2 });
        await timePasses(world.ledger(), 1_000);
        if (random() < 0.8) continue;
        const place = random() < 0.5 ? 0 : 1;
        await victims[place]!.kill();
        victims[place] = await start();
      }
      const grownBy = (await survivor.heapUsed()) - early!;
      await Promise.all([survivor, ...victims].map((one) => one.stop({ withinMs: 20_000 })));
      expect(await world.finish({ jobs: JOBS })).toEqual(NOTHING_WRONG);
      expect(grownBy).toBeLessThan(MAX_HEAP_GROWTH);
      expect(await statesOfPolicies(), `seed ${seed}`).toEqual(EXPECTED_STATES);
      await eventually(async () => (await leftSessions()) === 0, { withinMs: 10_000, what: 'the end of all sessions' });
    },
    (SECONDS + 120) * 1_000,
  );

  async function statesOfPolicies(): Promise<Readonly<Record<string, readonly string[]>>> {
    const rows = await world.ledger().sql<{ job: string; states: string[] }>(
      `select e.job_name as job, array_agg(distinct concat_ws('/', o.state, o.reason)) as states
       from executions e join outcomes o on o.execution_id = e.id
       where e.job_name like 'overlapping-%' and (o.state <> 'failed' or o.error_code is distinct from 'JOBS_WORKER_LOST')
       group by 1`,
    );
    return Object.fromEntries(rows.map(({ job, states }) => [job, states]));
  }

  async function leftSessions(): Promise<number> {
    const { n } = await world.ledger().row<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and (application_name like 'bare-%' or application_name like 'scheduled-jobs%')`,
    );
    return n;
  }
});

/** What each policy leads to when runs take about as long as the time between them. */
const EXPECTED_STATES = {
  'overlapping-allow': ['succeeded'],
  'overlapping-queue': ['succeeded'],
  'overlapping-queue-latest': ['skipped/superseded', 'succeeded'],
  'overlapping-skip': ['skipped/overlap', 'succeeded'],
  // Those that wait are superseded only where the one that is asked to stop takes its time.
  'overlapping-replace': expect.arrayContaining(['canceled', 'succeeded']) as string[],
};
