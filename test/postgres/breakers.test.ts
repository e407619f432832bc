import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { TestQueues } from '../support/queues.js';

const ledgerOf = useLedger();
const breaker = { failureRatio: 0.5, minimum: 4, window: '10s', openFor: '1s', maxOpenFor: '3s', probes: 2 };

async function brokenQueue(): Promise<TestQueues> {
  const queues = new TestQueues(ledgerOf());
  await queues.configure({ api: { breaker } });
  await queues.fill('api', 30);
  const { claimed } = await queues.claim('api', 4);
  expect(await queues.judge(claimed, 'failed')).toEqual([
    { queue: 'api', change: 'opened', until: after(1_000), calls: 4, failures: 4 },
  ]);
  return queues;
}
const viewOf = async (now = T0) => (await ledgerOf().stores.queues.list(['api'], now))[0]!.breaker;

describe('the breaker of a queue', () => {
  it('lets everything through while it is closed', async () => {
    const queues = new TestQueues(ledgerOf());
    await queues.configure({ api: { breaker } });
    await queues.fill('api', 30);
    const { claimed } = await queues.claim('api', 20);
    expect(claimed).toHaveLength(20);
    expect(await queues.judge(claimed.slice(0, 5), 'ok')).toEqual([]);
    expect(await queues.judge(claimed.slice(5, 9), 'failed')).toEqual([]);
    expect(await viewOf()).toEqual({ state: 'closed', openUntil: null, calls: 9, failures: 4 });
  });

  it('lets nothing through while it is open, and tells until when', async () => {
    const queues = await brokenQueue();
    expect(await queues.gate('api', after(400))).toMatchObject({ opensInMs: 600, hasBreaker: true });
    expect((await queues.claim('api', 5, after(999))).claimed).toEqual([]);
    expect(await viewOf(after(999))).toMatchObject({ state: 'open', openUntil: after(1_000) });
  });

  it('lets no more than its probes through when it is half-open, whoever asks', async () => {
    const queues = await brokenQueue();
    expect(await viewOf(after(1_000))).toMatchObject({ state: 'half-open', openUntil: null });
    expect((await queues.claim('api', 5, after(1_000))).claimed).toHaveLength(2);
    expect((await queues.claim('api', 5, after(1_500))).claimed).toEqual([]);
    expect(await queues.gate('api', after(1_500))).toMatchObject({ opensInMs: null });
  });

  it('closes when the probes succeed', async () => {
    const queues = await brokenQueue();
    const { claimed } = await queues.claim('api', 5, after(1_000));
    expect(await queues.judge(claimed.slice(0, 1), 'ok', after(1_100))).toEqual([]);
    expect((await queues.claim('api', 5, after(1_200))).claimed).toEqual([]);
    expect(await queues.judge(claimed.slice(1), 'ok', after(1_300))).toEqual([
      { queue: 'api', change: 'closed', until: null, calls: 1, failures: 0 },
    ]);
    expect((await queues.claim('api', 9, after(1_300))).claimed).toHaveLength(9);
    expect(await viewOf(after(1_300))).toMatchObject({ state: 'closed', calls: 0 });
  });

  it('opens again, for longer, when a probe fails, and takes no other probe of that time into account', async () => {
    const queues = await brokenQueue();
    const { claimed } = await queues.claim('api', 5, after(1_000));
    expect(await queues.judge(claimed.slice(0, 1), 'failed', after(1_100))).toMatchObject([
      { change: 'opened', until: after(3_100) },
    ]);
    expect(await queues.judge(claimed.slice(1), 'ok', after(1_200))).toEqual([]);
    expect((await queues.claim('api', 5, after(3_099))).claimed).toEqual([]);
    const probes = await queues.claim('api', 5, after(3_100));
    expect(probes.claimed).toHaveLength(2);
    expect(await queues.judge(probes.claimed, 'failed', after(3_200))).toMatchObject([{ until: after(6_200) }]);
  });

  it('replaces a probe that was lost, or ended without saying anything', async () => {
    const queues = await brokenQueue();
    const { claimed } = await queues.claim('api', 5, after(1_000));
    await queues.finish(claimed.slice(0, 1), after(1_100));
    expect((await queues.claim('api', 5, after(1_200))).claimed).toHaveLength(1);
  });

  it('is moved by nothing that was claimed before it opened', async () => {
    const queues = new TestQueues(ledgerOf());
    await queues.configure({ api: { breaker } });
    await queues.fill('api', 30);
    const { claimed } = await queues.claim('api', 8);
    await queues.judge(claimed.slice(0, 4), 'failed');
    // The others still run when the probes are let through, and hold none of their places.
    const probes = await queues.claim('api', 5, after(1_000));
    expect(probes.claimed).toHaveLength(2);
    expect(await queues.judge(claimed.slice(4), 'failed', after(1_100))).toEqual([]);
    expect(await queues.judge(probes.claimed, 'ok', after(1_200))).toMatchObject([{ change: 'closed' }]);
  });

  it('outlives a restart with the same options, and goes with its option', async () => {
    const queues = await brokenQueue();
    await queues.configure({ api: { breaker } });
    expect((await queues.claim('api', 5, after(999))).claimed).toEqual([]);
    await queues.configure({ api: { concurrency: 50 } });
    expect((await queues.claim('api', 5, after(999))).claimed).toHaveLength(5);
    await queues.configure({ api: { breaker } });
    expect(await viewOf()).toMatchObject({ state: 'closed', calls: 0 });
  });

  it('lets probes through when a start lowers their number below what has passed', async () => {
    const queues = await brokenQueue();
    const [first, second] = (await queues.claim('api', 5, after(1_000))).claimed;
    await queues.judge([first!], 'ok', after(1_100));
    await queues.finish([second!], after(1_100));
    await queues.configure({ api: { breaker: { ...breaker, probes: 1 } } });
    const { claimed } = await queues.claim('api', 5, after(1_200));
    expect(claimed).toHaveLength(1);
    expect(await queues.judge(claimed, 'ok', after(1_300))).toMatchObject([{ change: 'closed' }]);
  });

  it('loses no count of workers that tell at the same moment', async () => {
    const queues = new TestQueues(ledgerOf());
    await queues.configure({ api: { breaker: { ...breaker, minimum: 1_000 } } });
    const { queues: store } = ledgerOf().stores;
    const tell = (n: number) =>
      store.recordVerdicts([{ queue: 'api', leaseToken: String(n), failed: n % 2 === 0 }], T0);
    await Promise.all(Array.from({ length: 40 }, (_, n) => tell(n)));
    expect(await viewOf()).toMatchObject({ calls: 40, failures: 20 });
  });

  it('counts for several queues in one statement, and ignores those without a breaker', async () => {
    const queues = new TestQueues(ledgerOf());
    await queues.configure({
      api: { breaker: { ...breaker, minimum: 1 } },
      other: { breaker: true },
      mail: { concurrency: 1 },
    });
    const failed = (queue: string) => ({ queue, leaseToken: '1', failed: true });
    expect(
      await ledgerOf().stores.queues.recordVerdicts(['other', 'api', 'mail', 'unknown'].map(failed), T0),
    ).toMatchObject([{ queue: 'api', change: 'opened' }]);
    expect(await ledgerOf().stores.queues.recordVerdicts([], T0)).toEqual([]);
  });
});
