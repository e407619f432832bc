import { describe, expect, it } from 'vitest';
import { SlowClaims } from './slow-claims.js';

describe('slow claims', () => {
  const setUp = (refresh: () => Promise<void> = async () => undefined) => {
    const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
    let refreshed = 0;
    const store = {
      refreshStatistics: () => {
        refreshed += 1;
        return refresh();
      },
    };
    return { clock, claims: new SlowClaims(store, clock), refreshed: () => refreshed };
  };

  it.each([
    [50, 20, 1],
    [49, 1_000, 0],
    [500, 19, 0],
  ])('of %i executions that took %i ms have statistics taken anew %i times', (count, tookMs, times) => {
    const { claims, refreshed } = setUp();
    claims.claimed(count, tookMs);
    expect(refreshed()).toBe(times);
  });

  it('have it done once a minute', () => {
    const { claims, clock, refreshed } = setUp();
    for (clock.nowMs = 0; clock.nowMs < 120_000; clock.nowMs += 1_000) claims.claimed(500, 100);
    expect(refreshed()).toBe(2);
  });

  it('go on when it fails', async () => {
    const { claims, clock, refreshed } = setUp(() => Promise.reject(new Error('away')));
    claims.claimed(500, 100);
    await new Promise((resolve) => setImmediate(resolve));
    clock.nowMs = 60_000;
    claims.claimed(500, 100);
    expect(refreshed()).toBe(2);
  });
});
