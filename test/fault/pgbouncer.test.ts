import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { hasPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.js';
import { FAULTY_JOBS, FaultyWorld } from './faulty-world.js';

const PERIODS = process.env['SOAK'] === '1' ? 30 : 3;

// Skipped where the program is absent.
describe.runIf(hasPgBouncer)('Processes behind PgBouncer in transaction mode', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  let world: FaultyWorld;
  let bouncer: PgBouncer;
  beforeAll(async () => {
    world = new FaultyWorld(ledger());
    await world.create();
  });
  beforeEach(async () => {
    await world.reset();
    bouncer = await startPgBouncer(ledger().url);
  });
  afterEach(async () => {
    await processes.killAll();
    await bouncer.stop();
  });

  it.each([
    { name: 'and only poll', listens: false },
    { name: 'and listen past it', listens: true },
  ])(
    'lose no period and no effect, and repeat none, $name',
    { timeout: PERIODS * 10_000 + 60_000 },
    async ({ listens }) => {
      const options = {
        url: bouncer.url,
        jobs: FAULTY_JOBS,
        scheduler: true,
        worker: { pollIntervalMs: 200, concurrency: 4 },
        listenUrl: listens ? ledger().url : (false as const),
      };
      const [victim, other] = await processes.startAll(2, options);
      for (let period = 0; period < PERIODS; period++) {
        const before = await world.periods();
        await world.askFor({ transfers: 20 });
        await eventually(async () => (await world.periods()) > before, { what: 'the next period' });
      }
      await victim!.kill();
      expect((await other!.stop()).code).toBe(0);
      const healthy = await processes.start({ ...options, scheduler: false });
      await world.settle();
      await healthy.stop();
      await world.expectEachEffectOnce();
      await world.expectNoPeriodMissing();
    },
  );
});
