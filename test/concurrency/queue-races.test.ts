import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { TestQueues } from '../support/queues.js';

const ledgerOf = useLedger();
const CLAIMERS = 6;

/** Workers with connections of their own. */
const claimers = () =>
  Promise.all(
    Array.from({ length: CLAIMERS }, async (_, n) => {
      const ledger = ledgerOf();
      return new TestQueues(ledger, ledger.storesOf(await ledger.connect({ poolSize: 1 })), `w${n}`);
    }),
  );

describe('six workers at one limited queue', () => {
  it('never run more than its concurrency, and leave nothing behind', async () => {
    const workers = await claimers();
    await workers[0]!.configure({ mail: { concurrency: 5 } });
    await workers[0]!.fill('mail', 200);
    const running = { now: 0, most: 0, done: 0 };
    await Promise.all(
      workers.map(async (worker) => {
        while (running.done < 200) {
          const { claimed } = await worker.claim('mail', 4);
          running.now += claimed.length;
          running.most = Math.max(running.most, running.now);
          // What is claimed runs for as long as the next statement of this worker takes.
          await worker.gate('mail');
          running.now -= claimed.length;
          await worker.finish(claimed);
          running.done += claimed.length;
        }
      }),
    );
    expect(running.most).toBeLessThanOrEqual(5);
    expect(running.most).toBeGreaterThan(3);
    expect(await ledgerOf().row('select count(*)::int as n from outcomes')).toEqual({ n: 200 });
  });

  it('start no more than its rate and burst allow in four seconds, and about as much', async () => {
    const workers = await claimers();
    await workers[0]!.configure({ mail: { rate: '50/s', burst: 10 } });
    await workers[0]!.fill('mail', 400);
    let starts = 0;
    for (let ms = 0; ms < 4_000; ms += 50) {
      const claims = await Promise.all(workers.map((worker) => worker.claim('mail', 10, after(ms))));
      starts += claims.reduce((sum, { claimed }) => sum + claimed.length, 0);
      expect(starts).toBeLessThanOrEqual(10 + (50 * ms) / 1_000);
    }
    expect(starts).toBeGreaterThan(190);
  });

  it('let no more probes through than its breaker has', async () => {
    const workers = await claimers();
    const [first] = workers;
    await first!.configure({ mail: { breaker: { minimum: 1, openFor: '1s', probes: 3 } } });
    await first!.fill('mail', 50);
    await first!.judge((await first!.claim('mail', 1)).claimed, 'failed');
    for (let round = 0; round < 5; round++) {
      const claims = await Promise.all(workers.map((worker) => worker.claim('mail', 2, after(1_000))));
      expect(claims.flatMap(({ claimed }) => claimed).length).toBeLessThanOrEqual(3);
    }
    expect(await ledgerOf().row(`select count(*)::int as n from work where phase = 'leased'`)).toEqual({ n: 3 });
  });

  it('leave the room of a worker that died to others once its lease has run out', async () => {
    const [dead, alive] = await claimers();
    await dead!.configure({ mail: { concurrency: 2 } });
    await dead!.fill('mail', 4);
    expect((await dead!.claim('mail', 4)).claimed).toHaveLength(2);
    expect((await alive!.claim('mail', 4, after(30_001))).claimed).toEqual([]);
    await ledgerOf().stores.work.rescue(100, after(30_001));
    expect((await alive!.claim('mail', 4, after(30_001))).claimed).toHaveLength(2);
  });
});

it('a limited queue with a thousand executions holds up no other', async () => {
  const [worker] = await claimers();
  await worker!.configure({ mail: { concurrency: 1 } });
  await worker!.fill('mail', 1_000);
  await worker!.claim('mail', 1);
  await worker!.fill('default', 1);
  expect(await ledgerOf().stores.work.look(['mail', 'default'], T0)).toMatchObject({ ready: true });
  expect(await ledgerOf().claim()).toHaveLength(1);
});
