import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimedExecution, EventRecorder } from '../../../../test/support/engine.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { Lease } from '../core/execution/claimed-execution.js';
import { CancelWatch } from './cancel-watch.js';
import { HeldExecution } from './held-execution.js';

function setUp(answer: (asked: readonly Lease[]) => readonly Lease[] = () => []) {
  const calls: (readonly Lease[])[] = [];
  const recorder = new EventRecorder();
  const watch = new CancelWatch({
    store: {
      cancelRequests: async (asked) => {
        calls.push(asked);
        return answer(asked);
      },
    },
    clock: { monotonicMs: () => performance.now(), boundNow: () => null },
    emit: recorder.emit,
  });
  return { watch, calls, recorder };
}

function hold(watch: CancelWatch) {
  const held = new HeldExecution(claimedExecution(), { sentMs: performance.now(), receivedMs: performance.now() });
  const told = { cancelRequested: 0 };
  held.watch({ lost: () => {}, cancelRequested: () => told.cancelRequested++ });
  watch.hold(held);
  return { held, told };
}

describe('CancelWatch', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('asks once a second for all that is held, and never while nothing is', async () => {
    const { watch, calls } = setUp();
    watch.start();
    await pass(60_000);
    expect(calls).toEqual([]);
    const [first, second] = [hold(watch), hold(watch)];
    await pass(9_050);
    expect(calls).toHaveLength(10);
    expect(calls[0]).toEqual([first.held.lease, second.held.lease]);
    for (const { held } of [first, second]) watch.drop(held);
    await pass(60_000);
    expect(calls).toHaveLength(10);
    await watch.stop();
  });

  it('asks nothing for executions that end sooner', async () => {
    const { watch, calls } = setUp();
    watch.start();
    for (let n = 0; n < 50; n += 1) {
      const { held } = hold(watch);
      await pass(100);
      watch.drop(held);
    }
    expect(calls).toEqual([]);
    await watch.stop();
  });

  it('tells the holder within a second, at a hint at once, and nobody whose token is another', async () => {
    let canceled: readonly Lease[] = [];
    const { watch } = setUp(() => canceled);
    watch.start();
    const [first, second, other] = [hold(watch), hold(watch), hold(watch)];
    await pass(400);
    canceled = [first.held.lease, { ...other.held.lease, leaseToken: '999999' }];
    await pass(600);
    expect([first.told.cancelRequested, second.told.cancelRequested]).toEqual([1, 0]);
    canceled = [second.held.lease];
    watch.wake();
    await pass(50);
    expect([second.told.cancelRequested, other.told.cancelRequested]).toEqual([1, 0]);
    await watch.stop();
  });

  it('makes no flood of statements of a flood of hints', async () => {
    const { watch, calls } = setUp();
    watch.start();
    hold(watch);
    for (let n = 0; n < 1_000; n += 1) {
      watch.wake();
      await pass(1);
    }
    expect(calls.length).toBeLessThanOrEqual(21);
    await watch.stop();
  });

  it('goes on when the database was away', async () => {
    let fails = true;
    const { watch, recorder } = setUp((asked) => {
      if (fails) throw new StoreUnavailableError('look');
      return asked;
    });
    watch.start();
    await pass(0);
    const { told } = hold(watch);
    await pass(1_000);
    expect(recorder.of('service.failed')).toMatchObject([{ service: 'cancel-watch' }]);
    fails = false;
    await pass(1_900);
    expect(told.cancelRequested).toBe(1);
    await watch.stop();
  });

  it('may be started and stopped in any order, and does nothing afterwards', async () => {
    vi.useRealTimers();
    const { watch, calls } = setUp();
    hold(watch);
    expect(await startStopStress(watch, async () => calls.length === 0)).toBe(true);
  });
});
