import { describe, expect, it } from 'vitest';
import { claimedExecution, EventRecorder } from '../../../../test/support/engine.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { ClaimRequest, WorkOutlook } from '../core/ports/work-store.js';
import { WorkFinder } from './work-finder.js';

const NOTHING: WorkOutlook = { ready: false, due: false, waiting: false, held: false, nextRunInMs: null };

/** A store with so many ready executions per queue. */
function setUp(
  ready: Record<string, number>,
  outlook: Partial<WorkOutlook> = {},
  claimed: { readonly isLastChance?: boolean } = {},
) {
  const time = { ms: 0 };
  const asked = { claims: [] as ClaimRequest[], walks: 0, promotes: 0, releases: 0 };
  const released: number[] = [];
  const recorder = new EventRecorder();
  const failing = { from: Number.POSITIVE_INFINITY };
  const finder = new WorkFinder({
    store: {
      look: async () => ({ ...NOTHING, ready: Object.values(ready).some((count) => count > 0), ...outlook }),
      promote: async () => {
        asked.promotes++;
        return 1;
      },
      admit: async () => {
        asked.walks++;
        time.ms += 10;
        return 0;
      },
      release: async () => {
        asked.releases++;
        return released.shift() ?? 0;
      },
      claim: async (request) => {
        if (asked.claims.push(request) >= failing.from) throw new StoreUnavailableError('claim executions');
        return request.quotas.flatMap(({ queue, take }) => {
          const given = Math.min(take, ready[queue] ?? 0);
          ready[queue] = (ready[queue] ?? 0) - given;
          return Array.from({ length: given }, () => claimedExecution({ queue, ...claimed }));
        });
      },
    },
    clock: { monotonicMs: () => time.ms, boundNow: () => null },
    emit: recorder.emit,
    workerId: 'w',
    queues: Object.keys(ready),
    jobNames: ['job'],
  });
  return { finder, asked, time, released, recorder, failFrom: (claimNo: number) => (failing.from = claimNo) };
}
function perQueue(held: readonly { readonly claimed: { readonly queue: string } }[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { claimed } of held) sums[claimed.queue] = (sums[claimed.queue] ?? 0) + 1;
  return sums;
}

describe('WorkFinder', () => {
  it('asks for nothing more when the look finds nothing', async () => {
    const { finder, asked } = setUp({ a: 0 }, { nextRunInMs: 700 });
    expect(await finder.find({ start: 10, take: 10 })).toEqual({ claimed: [], nextInMs: 700 });
    expect(asked).toEqual({ claims: [], walks: 0, promotes: 0, releases: 0 });
  });

  it('shares its room among the queues', async () => {
    const { finder } = setUp({ a: 100, b: 100, c: 100 });
    const { claimed } = await finder.find({ start: 9, take: 9 });
    expect(perQueue(claimed)).toEqual({ a: 3, b: 3, c: 3 });
  });

  it('gives what one queue does not use to the others, in the same look', async () => {
    const { finder, asked } = setUp({ a: 100, b: 0, c: 1 });
    const { claimed } = await finder.find({ start: 9, take: 9 });
    expect(perQueue(claimed)).toEqual({ a: 8, c: 1 });
    expect(asked.claims.length).toBeLessThanOrEqual(3);
  });

  it('finds the one queue that has work when there is room for fewer than one of each', async () => {
    const { finder } = setUp({ a: 0, b: 0, c: 0, d: 5 });
    const { claimed } = await finder.find({ start: 1, take: 1 });
    expect(perQueue(claimed)).toEqual({ d: 1 });
  });

  it('takes turns among full queues when there is little room', async () => {
    const { finder } = setUp({ a: 100, b: 100, c: 100 });
    const taken: string[] = [];
    for (let look = 0; look < 6; look++) {
      const { claimed } = await finder.find({ start: 1, take: 1 });
      taken.push(...claimed.map(({ claimed: { queue } }) => queue));
    }
    expect(taken.toSorted()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  });

  it('puts what starts at once first, and never more of it than there are slots', async () => {
    const { finder, asked } = setUp({ a: 100, b: 100 });
    const { claimed } = await finder.find({ start: 4, take: 20 });
    expect(claimed).toHaveLength(20);
    expect(
      claimed
        .slice(0, 4)
        .map(({ claimed: { queue } }) => queue)
        .toSorted(),
    ).toEqual(['a', 'a', 'b', 'b']);
    expect(asked.claims[0]?.quotas).toEqual([
      { queue: 'a', take: 10, start: 2 },
      { queue: 'b', take: 10, start: 2 },
    ]);
  });

  it('keeps what it has claimed when a later claim of the same look fails', async () => {
    const { finder, failFrom } = setUp({ a: 1, b: 100 });
    failFrom(2);
    expect((await finder.find({ start: 10, take: 10 })).claimed).toHaveLength(6);
    await expect(finder.find({ start: 10, take: 10 })).rejects.toThrow(StoreUnavailableError);
  });

  it('promotes what is due and walks over the waiting at once', async () => {
    const { finder, asked } = setUp({ a: 0 }, { due: true });
    await finder.find({ start: 1, take: 1 });
    await finder.find({ start: 1, take: 1 });
    expect(asked).toMatchObject({ promotes: 2, walks: 2 });
    expect(asked.claims).toHaveLength(2);
  });

  it('walks over the waiting for a tenth of the time, and says when it may again', async () => {
    const { finder, asked, time } = setUp({ a: 0 }, { waiting: true });
    await finder.find({ start: 1, take: 1 });
    time.ms += 30;
    expect(await finder.find({ start: 1, take: 1 })).toMatchObject({ nextInMs: 60 });
    expect(asked.walks).toBe(1);
    time.ms += 60;
    await finder.find({ start: 1, take: 1 });
    expect(asked.walks).toBe(2);
  });

  it('releases what was held of its jobs, once a second, or at once when there was much of it', async () => {
    const { finder, asked, time, released } = setUp({ a: 1 }, { held: true });
    released.push(1_000, 3);
    expect(await finder.find({ start: 1, take: 1 })).toMatchObject({ nextInMs: 0 });
    await finder.find({ start: 1, take: 1 });
    await finder.find({ start: 1, take: 1 });
    expect(asked.releases).toBe(2);
    expect(asked.claims.length).toBeGreaterThan(0);
    time.ms += 1_000;
    await finder.find({ start: 1, take: 1 });
    expect(asked.releases).toBe(3);
  });

  it('asks for one execution on its last chance at most, and once more for what else there is', async () => {
    const { finder, asked } = setUp({ a: 3 });
    const limits = { leftOut: ['7'], lastChance: true };
    await finder.find({ start: 4, take: 4 }, limits);
    expect(asked.claims).toMatchObject([limits]);
    asked.claims.length = 0;
    const { finder: other, asked: otherAsked } = setUp({ a: 3 }, {}, { isLastChance: true });
    await other.find({ start: 4, take: 4 }, limits);
    expect(otherAsked.claims).toMatchObject([limits, { leftOut: ['7'], lastChance: false }]);
  });
});
