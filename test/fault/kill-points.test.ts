import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses, type Fault } from '../support/bare-process.js';
import { useLedger } from '../support/ledger-tests.js';
import { seededRandom, testSeed } from '../support/seeded-random.js';
import { FAULTY_JOBS, FaultyWorld } from './faulty-world.js';

const die = (at: string, moment: Fault['moment'], nth?: number): Fault =>
  nth === undefined ? { at, moment, effect: 'die' } : { at, moment, effect: 'die', nth };

/** Between two of these moments nothing that others can see changes. */
const POINTS: Readonly<Record<string, readonly Fault[]>> = {
  tick: [
    die('lock due', 'after'),
    die('insert', 'before'),
    die('insert', 'after'),
    die('move cursors', 'before the commit'),
    die('move cursors', 'after the commit'),
  ],
  claim: [die('claim', 'before'), die('claim', 'after'), die('admit', 'before the commit')],
  run: [die('renew', 'after', 1), die('commit chunk', 'before')],
  commit: [
    die('commit chunk', 'before the commit'),
    die('commit chunk', 'after the commit'),
    die('finish succeeded', 'before the commit'),
    die('finish succeeded', 'after the commit'),
  ],
  record: [
    die('finish succeeded', 'before'),
    die('finish succeeded', 'after'),
    die('finish any', 'before'),
    die('finish any', 'after'),
  ],
  rescue: [die('rescue', 'before', 8), die('rescue', 'after', 12)],
};
/** So many die at the same time, and leave their work to one another. */
const VICTIMS = 3;
const ROUNDS = process.env['SOAK'] === '1' ? 10 : 1;

describe('Processes that are killed between two moments of their work', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  let world: FaultyWorld;
  beforeAll(async () => {
    world = new FaultyWorld(ledger());
    await world.create();
  });
  beforeEach(() => world.reset());
  afterEach(() => processes.killAll());

  const options = () => ({
    url: ledger().url,
    jobs: FAULTY_JOBS,
    scheduler: true,
    worker: { pollIntervalMs: 200, concurrency: 4 },
  });

  it.each(Object.keys(POINTS))(
    'lose no period and no effect, and repeat none: %s',
    async (stage) => {
      const seed = testSeed();
      console.log(`[TEST_SEED=${seed}]`);
      const random = seededRandom(seed);
      const points = Array.from({ length: ROUNDS }, () => POINTS[stage]!).flat();
      for (let first = 0; first < points.length; first += VICTIMS) {
        await world.askFor({ transfers: 15 });
        const victims = await Promise.all(
          points
            .slice(first, first + VICTIMS)
            .map((fault) =>
              processes.start({ ...options(), faults: [{ nth: 1 + Math.floor(random() * 3), ...fault }] }),
            ),
        );
        const ends = await Promise.all(victims.map((victim) => victim.exitedWithin(20_000)));
        expect(ends.map(({ signal }) => signal)).toEqual(victims.map(() => 'SIGKILL'));
      }
      const healthy = await processes.start({ ...options(), scheduler: false });
      await world.settle();
      await healthy.stop();
      await world.expectEachEffectOnce();
      await world.expectNoPeriodMissing();
    },
    60_000 * ROUNDS,
  );
});
