import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SharedLease } from '../../core/ports/keeper-thread.js';
import { BlockedLoopRenewals } from './blocked-loop-renewals.js';
import { SharedLeases } from './shared-leases.js';

const LEASE_MS = 3_000;
const lease = (id: number, parts: Partial<SharedLease> = {}): SharedLease => ({
  executionId: String(id),
  leaseToken: String(100 + id),
  startedAt: new Date('2026-03-01T12:00:00.125Z'),
  leaseMs: LEASE_MS,
  blockedLoopLimitMs: 10_000,
  ...parts,
});

/** The thread looks every 100 ms. */
function setUp(answer: (asked: readonly SharedLease[]) => readonly SharedLease[] = (asked) => asked) {
  const leases = SharedLeases.withCapacity(4);
  const renewals: (readonly SharedLease[])[] = [];
  let isConnected = false;
  const thread = new BlockedLoopRenewals(leases, {
    renew: async (asked) => {
      isConnected = true;
      renewals.push(asked);
      return answer(asked);
    },
    close: async () => void (isConnected = false),
  });
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 100) {
      vi.advanceTimersByTime(100);
      await thread.look();
    }
  };
  return { leases, renewals, thread, pass, isConnected: () => isConnected };
}

describe('The renewals of the keeper thread', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['hrtime'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('do not happen while the event loop turns', async () => {
    const { leases, renewals, pass, isConnected } = setUp();
    leases.put(0, lease(1));
    for (let turn = 0; turn < 20; turn++) {
      await pass(900);
      leases.turned();
    }
    expect(renewals).toEqual([]);
    expect(isConnected()).toBe(false);
  });

  it('begin when it has been silent for a third of the shortest lease, come each third, and end when it turns', async () => {
    const { leases, renewals, pass, isConnected } = setUp();
    leases.put(0, lease(1, { leaseMs: 6_000 }));
    leases.put(3, lease(2));
    await pass(900);
    expect(renewals).toEqual([]);
    await pass(100);
    expect(renewals).toEqual([[lease(1, { leaseMs: 6_000 }), lease(2)]]);
    await pass(LEASE_MS);
    expect(renewals).toHaveLength(4);
    expect(isConnected()).toBe(true);
    leases.turned();
    await pass(100);
    expect(isConnected()).toBe(false);
    expect(renewals).toHaveLength(4);
  });

  it('end for each lease at its own limit, and then give the connection up', async () => {
    const { leases, renewals, pass, isConnected } = setUp();
    leases.put(0, lease(1, { blockedLoopLimitMs: 2_500 }));
    leases.put(1, lease(2, { blockedLoopLimitMs: 4_500 }));
    await pass(20_000);
    expect(renewals.map((asked) => asked.map(({ executionId }) => executionId))).toEqual([
      ['1', '2'],
      ['1', '2'],
      ['2'],
      ['2'],
    ]);
    expect(isConnected()).toBe(false);
  });

  it('tell the event loop how long ago which lease was renewed, and nothing of one that is lost or gone', async () => {
    const { leases, pass } = setUp((asked) => asked.slice(1));
    const [lost, kept] = [lease(1), lease(2)];
    leases.put(0, lost);
    leases.put(1, kept);
    await pass(1_000);
    vi.advanceTimersByTime(700);
    expect([leases.renewedAgoMs(0, lost), leases.renewedAgoMs(1, kept)]).toEqual([null, 700]);
    leases.put(1, lease(3));
    expect(leases.renewedAgoMs(1, lease(3))).toBeNull();
  });

  it('leave out what is no longer shared', async () => {
    const { leases, renewals, pass } = setUp();
    leases.put(0, lease(1));
    leases.clear(0);
    await pass(5_000);
    expect(renewals).toEqual([]);
  });

  it('go on after one that failed, with the next look', async () => {
    let calls = 0;
    const { leases, thread } = setUp((asked) => {
      if (++calls === 1) throw new Error('no answer');
      return asked;
    });
    leases.put(0, lease(1));
    vi.advanceTimersByTime(1_000);
    await expect(thread.look()).rejects.toThrow('no answer');
    await thread.look();
    expect(leases.renewedAgoMs(0, lease(1))).toBe(0);
  });
});
