import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';
import { TcpProxy } from '../support/tcp-proxy.js';
import { NOTHING_WRONG, useFaultyWorld } from './faulty-world.js';

const TROUBLES = process.env['SOAK'] === '1' ? 60 : 6;

/** What a network does for a while. */
const TROUBLE = [
  (proxy: TcpProxy) => proxy.cut(),
  (proxy: TcpProxy) => proxy.slowDown(80),
  (proxy: TcpProxy) => proxy.goSilent(),
  (proxy: TcpProxy) => proxy.goSilent('questions'),
  (proxy: TcpProxy) => proxy.goSilent('answers'),
];

describe('Processes behind a bad network', () => {
  const world = useFaultyWorld();
  let proxies: readonly TcpProxy[] = [];
  afterEach(async () => {
    await world.processes.killAll();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  it(
    'lose no period and no effect, and repeat none',
    async () => {
      const seed = testSeed();
      console.log(`[TEST_SEED=${seed}]`);
      const random = seededRandom(seed);
      proxies = await Promise.all([TcpProxy.to(world.url), TcpProxy.to(world.url)]);
      const behind = await Promise.all(proxies.map(({ url }) => world.start({ url })));
      for (let trouble = 0; trouble < TROUBLES; trouble++) {
        await world.askFor({ transfers: 10 });
        const proxy = proxies[trouble % proxies.length]!;
        TROUBLE[Math.floor(random() * TROUBLE.length)]!(proxy);
        // The trouble lasts about as long as a lease: sometimes the lease outlives it.
        await pause(400 + random() * 1_200);
        proxy.cut();
        proxy.recover();
      }
      expect(behind.map(({ isRunning }) => isRunning)).toEqual([true, true]);
      await Promise.all(behind.map((one) => one.stop({ withinMs: 20_000 })));
      expect(await world.finish()).toEqual(NOTHING_WRONG);
    },
    TROUBLES * 5_000 + 90_000,
  );
});
