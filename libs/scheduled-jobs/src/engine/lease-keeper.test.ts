import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimedExecution, EventRecorder, gate } from '../../../../test/support/engine.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { WorkStore } from '../core/ports/work-store.js';
import { HeldExecution } from './held-execution.js';
import { LeaseKeeper } from './lease-keeper.js';

type Heartbeat = WorkStore['heartbeat'];
type Asked = Parameters<Heartbeat>[0];

const INTERVAL_MS = 1_000;
const LEASE_MS = 3_000;

function setUp(
  answer: (asked: Asked, callNo: number) => ReturnType<Heartbeat> | Awaited<ReturnType<Heartbeat>>,
  beforeJudging = (): void => undefined,
) {
  const calls: Asked[] = [];
  const recorder = new EventRecorder();
  const keeper = new LeaseKeeper({
    store: {
      heartbeat: async (asked) => {
        calls.push(asked);
        return answer(asked, calls.length);
      },
    },
    clock: { monotonicMs: () => performance.now(), boundNow: () => null },
    emit: recorder.emit,
    intervalMs: INTERVAL_MS,
    beforeJudging,
  });
  return { keeper, calls, recorder };
}

function hold(keeper: LeaseKeeper, leaseMs = LEASE_MS) {
  const sentMs = performance.now();
  const held = new HeldExecution(claimedExecution({ leaseMs }), { sentMs, receivedMs: sentMs });
  const told = { lost: 0, cancelRequested: 0 };
  held.watch({ lost: () => told.lost++, cancelRequested: () => told.cancelRequested++ });
  keeper.hold(held);
  return { held, told };
}
const alive = (asked: Asked) => asked.map((lease) => ({ ...lease, cancelRequested: false }));

describe('LeaseKeeper', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('renews all leases in one call per interval, and says which have started', async () => {
    const { keeper, calls } = setUp(alive);
    const [first, second] = [hold(keeper), hold(keeper)];
    first.held.startedAt = new Date(0);
    keeper.start();
    await pass(10 * LEASE_MS);
    expect(calls).toHaveLength(31);
    expect(calls[3]).toEqual([
      { ...first.held.lease, startedAt: new Date(0) },
      { ...second.held.lease, startedAt: null },
    ]);
    expect([first.told.lost, second.told.lost]).toEqual([0, 0]);
    await keeper.stop();
  });

  it('renews a lease that is shorter than the interval after each third of it, one that came between two turns too', async () => {
    const { keeper, calls } = setUp(alive);
    keeper.start();
    await pass(INTERVAL_MS / 2);
    const { told, held } = hold(keeper, 300);
    await pass(3_000);
    expect(told.lost).toBe(0);
    expect(calls).toHaveLength(30);
    keeper.drop(held);
    hold(keeper);
    calls.length = 0;
    await pass(10 * INTERVAL_MS);
    expect(calls.length).toBeLessThanOrEqual(11);
    await keeper.stop();
  });

  it('asks nothing while it holds nothing', async () => {
    const { keeper, calls } = setUp(alive);
    keeper.start();
    const { held } = hold(keeper);
    keeper.drop(held);
    await pass(10 * INTERVAL_MS);
    expect(calls).toEqual([]);
    await keeper.stop();
  });

  it('believes a lease lost when it is missing twice in a row, within one interval', async () => {
    const { keeper, calls } = setUp((asked) => alive(asked.slice(1)));
    const [lost, kept] = [hold(keeper), hold(keeper)];
    keeper.start();
    await pass(0);
    expect(lost.told).toEqual({ lost: 1, cancelRequested: 0 });
    expect(kept.told.lost).toBe(0);
    expect(calls.map((asked) => asked.length)).toEqual([2, 1]);
    await keeper.stop();
  });

  it('keeps a lease that is missing once', async () => {
    const { keeper } = setUp((asked, callNo) => (callNo === 1 ? [] : alive(asked)));
    const { told } = hold(keeper);
    keeper.start();
    await pass(INTERVAL_MS);
    expect(told.lost).toBe(0);
    await keeper.stop();
  });

  it('does not judge an execution whose end is being recorded', async () => {
    const { keeper } = setUp(() => []);
    const { held, told } = hold(keeper);
    held.isEnding = true;
    keeper.start();
    await pass(2 * LEASE_MS);
    expect(told.lost).toBe(0);
    await keeper.stop();
  });

  it('tells of a cancel request once', async () => {
    const { keeper } = setUp((asked) => asked.map((lease) => ({ ...lease, cancelRequested: true })));
    const { told } = hold(keeper);
    keeper.start();
    await pass(3 * INTERVAL_MS);
    expect(told).toEqual({ lost: 0, cancelRequested: 1 });
    await keeper.stop();
  });

  it('gives a lease up when it would have run out, counted from the last renewal that was sent and answered', async () => {
    const { keeper, recorder } = setUp((asked, callNo) => {
      if (callNo > 2) throw new StoreUnavailableError('renew leases');
      return alive(asked);
    });
    const { told } = hold(keeper);
    keeper.start();
    await pass(INTERVAL_MS + LEASE_MS - 1);
    expect(told.lost).toBe(0);
    await pass(1);
    expect(told.lost).toBe(1);
    expect(recorder.of('service.failed')[0]).toMatchObject({ service: 'lease-keeper' });
    await keeper.stop();
  });

  it('counts a renewal from when it was sent, not from when it was answered', async () => {
    const { keeper } = setUp(async (asked, callNo) => {
      if (callNo > 1) throw new StoreUnavailableError('renew leases');
      await new Promise((resolve) => setTimeout(resolve, 900));
      return alive(asked);
    });
    await pass(500);
    const { told } = hold(keeper);
    keeper.start();
    await pass(LEASE_MS - 1);
    expect(told.lost).toBe(0);
    await pass(1);
    expect(told.lost).toBe(1);
    await keeper.stop();
  });

  it('gives no lease up that somebody else has renewed meanwhile', async () => {
    const holder = { renew: (): void => undefined };
    const { keeper } = setUp(
      () => new Promise(() => undefined),
      () => holder.renew(),
    );
    const { held, told } = hold(keeper);
    holder.renew = () => held.renewed(performance.now() - 1);
    keeper.start();
    await pass(3 * LEASE_MS);
    expect(told.lost).toBe(0);
    holder.renew = () => undefined;
    await pass(LEASE_MS);
    expect(told.lost).toBe(1);
  });

  it('gives a lease up in time when a renewal hangs', async () => {
    const { keeper } = setUp(() => new Promise(() => undefined));
    const { told } = hold(keeper);
    keeper.start();
    await pass(LEASE_MS - 1);
    expect(told.lost).toBe(0);
    await pass(1);
    expect(told.lost).toBe(1);
  });

  it('does not let an answer that comes too late revive a lease', async () => {
    const answer = gate();
    const { keeper } = setUp(async (asked) => {
      await answer.passed;
      return alive(asked);
    });
    const { held, told } = hold(keeper);
    keeper.start();
    await pass(LEASE_MS);
    answer.open();
    await pass(INTERVAL_MS);
    expect(told.lost).toBe(1);
    expect(held.isLost).toBe(true);
    await keeper.stop();
  });

  it('survives starts and stops in any order', async () => {
    vi.useRealTimers();
    const { keeper, calls } = setUp(alive);
    hold(keeper);
    const quiet = await startStopStress(keeper, async () => {
      const before = calls.length;
      await new Promise((resolve) => setImmediate(resolve));
      return calls.length === before;
    });
    expect(quiet).toBe(true);
  });
});
