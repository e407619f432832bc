import { describe, expect, it } from 'vitest';
import type { Fault } from '../support/bare-process.js';
import { testSeed } from '../support/seeded-random.mjs';
import { NOTHING_WRONG, useFaultyWorld } from './faulty-world.js';

/** What servers answer when they are busy, restarted, or no longer the primary. */
const ERRORS = {
  '40001': 'a transaction that must be repeated',
  '40P01': 'a deadlock',
  '57P01': 'a connection that an administrator ends',
  '53300': 'too many connections',
  '25006': 'a server that has become read-only',
} as const;
const PERIODS = process.env['SOAK'] === '1' ? 60 : 4;

describe('A process whose statements fail', () => {
  const world = useFaultyWorld();

  it(
    `goes on and keeps every effect right: ${Object.values(ERRORS).join(', ')}`,
    async () => {
      const seed = testSeed();
      console.log(`[TEST_SEED=${seed}]`);
      const faults = Object.keys(ERRORS).flatMap((effect): readonly Fault[] => [
        { moment: 'before', effect, rate: 0.02, nth: 40 },
        { moment: 'before the commit', effect, rate: 0.02, nth: 5 },
      ]);
      const pools = [12, 1];
      const harmed = await Promise.all(pools.map((poolSize, n) => world.start({ faults, seed: seed + n, poolSize })));
      for (let period = 0; period < PERIODS; period++) await world.passPeriod({ transfers: 30 });
      expect(harmed.map(({ isRunning }) => isRunning)).toEqual([true, true]);
      expect(harmed.map((one) => one.count('service.failed') > 0)).toContain(true);
      for (const one of harmed) await one.kill();
      expect(await world.finish()).toEqual(NOTHING_WRONG);
    },
    PERIODS * 20_000 + 60_000,
  );
});
