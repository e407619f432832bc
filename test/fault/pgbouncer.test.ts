import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.js';
import { NOTHING_WRONG, useFaultyWorld } from './faulty-world.js';

const PERIODS = process.env['SOAK'] === '1' ? 30 : 3;

// Skipped where the program is absent.
describe.runIf(hasPgBouncer)('Processes behind PgBouncer in transaction mode', () => {
  const world = useFaultyWorld();
  let bouncer: PgBouncer;
  beforeEach(async () => {
    bouncer = await startPgBouncer(world.url);
  });
  afterEach(async () => {
    await world.processes.killAll();
    await bouncer.stop();
  });

  it.each([
    { name: 'and only poll', listens: false },
    { name: 'and listen past it', listens: true },
  ])(
    'lose no period and no effect, and repeat none, $name',
    { timeout: PERIODS * 20_000 + 60_000 },
    async ({ listens }) => {
      const options = { url: bouncer.url, listenUrl: listens ? world.url : (false as const) };
      const [victim, other] = await Promise.all([world.start(options), world.start(options)]);
      for (let period = 0; period < PERIODS; period++) await world.passPeriod({ transfers: 20 });
      await victim.kill();
      expect((await other.stop()).code).toBe(0);
      expect(await world.finish(options)).toEqual(NOTHING_WRONG);
    },
  );
});
