import { describe, expect, it } from 'vitest';
import type { Fault } from '../support/bare-process.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';
import { NOTHING_WRONG, useFaultyWorld } from './faulty-world.js';

/** @param rest `nth` where the time is not left to chance. */
const die = (at: string, moment: Fault['moment'], rest: Pick<Fault, 'nth'> = {}): Fault => ({
  at,
  moment,
  effect: 'die',
  ...rest,
});

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
  run: [die('renew', 'after', { nth: 1 }), die('commit chunk', 'before')],
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
  // The first one leaves leases behind that run out.
  rescue: [die('claim', 'after', { nth: 1 }), die('rescue', 'before', { nth: 1 }), die('rescue', 'after', { nth: 1 })],
};
/** So many die at the same time, and leave their work to one another. */
const VICTIMS = 3;
const ROUNDS = process.env['SOAK'] === '1' ? 10 : 1;

describe('Processes that are killed between two moments of their work', () => {
  const world = useFaultyWorld();

  it.each(Object.keys(POINTS))(
    'lose no period and no effect, and repeat none: %s',
    async (stage) => {
      const seed = testSeed();
      console.log(`[TEST_SEED=${seed}]`);
      const random = seededRandom(seed);
      // Where the victims do not die of it, time goes on for the schedules without them.
      const ticker = stage === 'tick' ? null : await world.start({ worker: undefined });
      const points = Array.from({ length: ROUNDS }, () => POINTS[stage]!).flat();
      for (let first = 0; first < points.length; first += VICTIMS) {
        await world.askFor({ transfers: 15 });
        const faults = points
          .slice(first, first + VICTIMS)
          .map((fault) => ({ nth: 1 + Math.floor(random() * 3), ...fault }));
        const victims = await Promise.all(faults.map((fault) => world.start({ faults: [fault] })));
        const ends = await world.askUntil(Promise.all(victims.map((victim) => victim.exitedWithin(20_000))));
        expect(ends.map(({ signal }) => signal)).toEqual(victims.map(() => 'SIGKILL'));
      }
      if (ticker !== null) await world.passPeriod({ transfers: 0 });
      await ticker?.stop();
      expect(await world.finish()).toEqual(NOTHING_WRONG);
    },
    60_000 * ROUNDS,
  );
});
