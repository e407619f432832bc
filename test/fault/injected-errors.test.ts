import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses, type Fault } from '../support/bare-process.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { testSeed } from '../support/seeded-random.js';
import { FAULTY_JOBS, FaultyWorld } from './faulty-world.js';

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
  const ledger = useLedger();
  const processes = new BareProcesses();
  let world: FaultyWorld;
  beforeAll(async () => {
    world = new FaultyWorld(ledger());
    await world.create();
  });
  beforeEach(() => world.reset());
  afterEach(() => processes.killAll());

  const start = (faults: readonly Fault[], seed: number, poolSize: number) =>
    processes.start({
      url: ledger().url,
      jobs: FAULTY_JOBS,
      scheduler: true,
      worker: { pollIntervalMs: 200, concurrency: 4 },
      faults,
      seed,
      poolSize,
    });

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
      const harmed = await Promise.all(pools.map((poolSize, n) => start(faults, seed + n, poolSize)));
      for (let period = 0; period < PERIODS; period++) {
        const before = await world.periods();
        await world.askFor({ transfers: 30 });
        await eventually(async () => (await world.periods()) > before, { withinMs: 20_000, what: 'the next period' });
      }
      expect(harmed.map(({ isRunning }) => isRunning)).toEqual([true, true]);
      for (const one of harmed) await one.kill();
      const healthy = await processes.start({
        url: ledger().url,
        jobs: FAULTY_JOBS,
        worker: { pollIntervalMs: 200, concurrency: 4 },
      });
      await world.settle();
      await healthy.stop();
      await world.expectEachEffectOnce();
      await world.expectNoPeriodMissing();
    },
    PERIODS * 20_000 + 60_000,
  );
});
