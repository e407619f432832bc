import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { useLedger } from '../support/ledger-tests.js';
import { seededRandom, testSeed } from '../support/seeded-random.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { FAULTY_JOBS, FaultyWorld } from './faulty-world.js';

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
  const ledger = useLedger();
  const processes = new BareProcesses();
  let world: FaultyWorld;
  let proxies: TcpProxy[] = [];
  beforeAll(async () => {
    world = new FaultyWorld(ledger());
    await world.create();
  });
  beforeEach(() => world.reset());
  afterEach(async () => {
    await processes.killAll();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    proxies = [];
  });

  it(
    'lose no period and no effect, and repeat none',
    async () => {
      const seed = testSeed();
      console.log(`[TEST_SEED=${seed}]`);
      const random = seededRandom(seed);
      proxies = await Promise.all([TcpProxy.to(ledger().url), TcpProxy.to(ledger().url)]);
      const options = { jobs: FAULTY_JOBS, scheduler: true, worker: { pollIntervalMs: 200, concurrency: 4 } };
      const behind = await Promise.all(proxies.map(({ url }) => processes.start({ ...options, url })));
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
      const healthy = await processes.start({ ...options, url: ledger().url, scheduler: false });
      await world.settle();
      await healthy.stop();
      await world.expectEachEffectOnce();
      await world.expectNoPeriodMissing();
    },
    TROUBLES * 5_000 + 90_000,
  );
});
