import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimedExecution, EventRecorder } from '../../../../test/support/engine.js';
import type { KeeperThread, SharedLease } from '../core/ports/keeper-thread.js';
import { BlockedLoop } from './blocked-loop.js';
import { HeldExecution } from './held-execution.js';

const LEASE_MS = 3_000;
const HEARTBEAT_MS = 1_000;

function setUp() {
  const places: (SharedLease | null)[] = [];
  const renewedAgoMs = new Map<string, number>();
  let turns = 0;
  let settings: unknown;
  const thread: KeeperThread = {
    problem: null,
    start: (given) => void (settings = given),
    stop: async () => undefined,
    turned: () => turns++,
    share: (lease) => places.push(lease) - 1,
    unshare: (place) => void (places[place] = null),
    renewedAgoMs: (_, { leaseToken }) => renewedAgoMs.get(leaseToken) ?? null,
  };
  const recorder = new EventRecorder();
  const clock = { monotonicMs: () => performance.now(), boundNow: () => null };
  const loop = new BlockedLoop({ thread, clock, emit: recorder.emit, heartbeatMs: HEARTBEAT_MS, concurrency: 10 });
  const hold = (jobName = 'job', limitMs = 60_000) => {
    const sentMs = performance.now();
    const held = new HeldExecution(claimedExecution({ jobName, leaseMs: LEASE_MS }), { sentMs, receivedMs: sentMs });
    held.startedAt = new Date(0);
    loop.hold(held, limitMs);
    return held;
  };
  loop.start();
  return { loop, hold, places, renewedAgoMs, recorder, turns: () => turns, settings: () => settings };
}

describe('A blocked event loop', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is not told of while the loop turns, four times a heartbeat', () => {
    const { turns, recorder, settings } = setUp();
    vi.advanceTimersByTime(10 * HEARTBEAT_MS);
    expect(turns()).toBe(40);
    expect(recorder.events).toEqual([]);
    expect(settings()).toEqual({ capacity: 2_010, checkEveryMs: 250 });
  });

  it('shares a lease with the thread from the start of its attempt until its end, unless its job wants none', () => {
    const { loop, hold, places } = setUp();
    const [held] = [hold('job', 7_000), hold('job', 0)];
    const { executionId, leaseToken } = held.lease;
    const shared = { executionId, leaseToken, startedAt: new Date(0), leaseMs: LEASE_MS, blockedLoopLimitMs: 7_000 };
    expect(places).toEqual([shared]);
    loop.drop(held);
    expect(places).toEqual([null]);
  });

  it('keeps what the thread has renewed, and tells how late it was, of whom, and what ran out', () => {
    const { loop, hold, renewedAgoMs, recorder } = setUp();
    const [kept, lapsed] = [hold('b'), hold('a')];
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
    renewedAgoMs.set(kept.lease.leaseToken, 500);
    loop.look();
    expect(kept.leaseUntilMs).toBe(performance.now() - 500 + LEASE_MS);
    expect(lapsed.leaseUntilMs).toBeLessThan(performance.now());
    expect(recorder.events).toEqual([
      { type: 'loop.blocked', delayMs: 4_750, jobs: ['a', 'b'], renewed: 1, expired: 1 },
    ]);
    loop.look();
    expect(recorder.events).toHaveLength(1);
    now.mockRestore();
  });
});
