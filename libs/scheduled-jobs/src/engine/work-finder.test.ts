import { describe, expect, it } from 'vitest';
import { claimedExecution, EventRecorder } from '../../../../test/support/engine.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { ClaimRequest, GatedClaim, QueueGateOutlook, WorkOutlook } from '../core/ports/work-store.js';
import { QueueGate } from './queue-gate.js';
import { WorkFinder } from './work-finder.js';

const NOTHING: WorkOutlook = { ready: false, due: false, waiting: false, held: false, nextRunInMs: null, gates: [] };

/** A store with so many ready executions per queue. */
function setUp(
  ready: Record<string, number>,
  outlook: Partial<WorkOutlook> = {},
  { room = {}, ...claimed }: { readonly room?: Record<string, number>; readonly isLastChance?: boolean } = {},
) {
  const time = { ms: 0 };
  const gated: ClaimRequest['quotas'][] = [];
  const asked = { claims: [] as ClaimRequest[], gated, walks: 0, promotes: 0, bringsBack: 0 };
  const held: number[] = [];
  const busy = { count: 0 };
  const recorder = new EventRecorder();
  const failing = { from: Number.POSITIVE_INFINITY };
  const claimGated = async (request: ClaimRequest): Promise<GatedClaim> => {
    asked.gated.push(request.quotas);
    if (busy.count-- > 0) return { claimed: [], isBusy: true };
    const claimed = request.quotas.flatMap(({ queue, take }) => {
      const given = Math.min(take, room[queue] ?? 0);
      room[queue] = (room[queue] ?? 0) - given;
      return Array.from({ length: given }, () => claimedExecution({ queue }));
    });
    return { claimed, isBusy: false };
  };
  const clock = { monotonicMs: () => time.ms, boundNow: () => null };
  const queues = { recordVerdicts: async () => [] };
  const gate = new QueueGate({ store: { claimGated }, queues, clock, emit: recorder.emit, onRoom: () => undefined });
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
      bringBack: async () => {
        asked.bringsBack++;
        return held.shift() ?? 0;
      },
      claim: async (request) => {
        if (asked.claims.push(request) >= failing.from) throw new StoreUnavailableError('claim executions');
        return request.quotas.flatMap(({ queue, take }) => {
          const given = Math.min(take, ready[queue] ?? 0);
          ready[queue] = (ready[queue] ?? 0) - given;
          return Array.from({ length: given }, () => claimedExecution({ queue, ...claimed }));
        });
      },
      refreshStatistics: async () => undefined,
    },
    clock,
    emit: recorder.emit,
    workerId: 'w',
    queues: [...Object.keys(ready), ...Object.keys(room)],
    jobNames: ['job'],
    gate,
  });
  return { finder, asked, time, held, recorder, busy, failFrom: (claimNo: number) => (failing.from = claimNo) };
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
    expect(asked).toEqual({ claims: [], gated: [], walks: 0, promotes: 0, bringsBack: 0 });
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

  it('claims without a look after a hint, every other time', async () => {
    const { finder, asked } = setUp({ a: 1 }, { due: true });
    await finder.find({ start: 1, take: 1 });
    expect(asked).toMatchObject({ promotes: 1, claims: { length: 1 } });
    const hinted = () => finder.find({ start: 2, take: 2 }, undefined, true);
    expect((await hinted()).claimed).toHaveLength(0);
    expect(asked).toMatchObject({ promotes: 2, claims: { length: 3 } });
  });

  it('claims without a look while it is given all it asks for, but looks again within a tenth of a second', async () => {
    const { finder, asked, time } = setUp({ a: 99 }, { due: true });
    const find = () => finder.find({ start: 2, take: 2 });
    const lookedMs = time.ms;
    await find();
    time.ms = lookedMs + 99;
    for (let unseen = 1; unseen <= 3; unseen++) {
      expect(await find()).toMatchObject({ claimed: { length: 2 }, nextInMs: 0 });
    }
    expect(asked).toMatchObject({ promotes: 1, claims: { length: 4 } });
    time.ms = lookedMs + 100;
    await find();
    expect(asked).toMatchObject({ promotes: 2, claims: { length: 5 } });
  });

  it('does not claim without a look while a queue is gated, nor before its first look', async () => {
    const gates = [{ queue: 'mail', ready: false, opensInMs: null, hasBreaker: false }];
    const { finder, asked } = setUp({ a: 9 }, { due: true, gates });
    for (const promotes of [1, 2]) {
      await finder.find({ start: 1, take: 1 }, undefined, true);
      expect(asked.promotes).toBe(promotes);
    }
  });

  it('expects no more once a look finds nothing, also while a queue is gated', async () => {
    const gates = [{ queue: 'mail', ready: true, opensInMs: 0, hasBreaker: false }];
    const { finder } = setUp({ a: 1 }, { gates });
    await finder.find({ start: 1, take: 1 });
    expect(finder.expectsMore).toBe(true);
    await finder.find({ start: 0, take: 1 });
    expect(finder.expectsMore).toBe(false);
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

  it('brings back what was held of its jobs, once a second, or at once when there was much of it', async () => {
    const { finder, asked, time, held } = setUp({ a: 1 }, { held: true });
    held.push(1_000, 3);
    expect(await finder.find({ start: 1, take: 1 })).toMatchObject({ nextInMs: 0 });
    await finder.find({ start: 1, take: 1 });
    await finder.find({ start: 1, take: 1 });
    expect(asked.bringsBack).toBe(2);
    expect(asked.claims.length).toBeGreaterThan(0);
    time.ms += 1_000;
    await finder.find({ start: 1, take: 1 });
    expect(asked.bringsBack).toBe(3);
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

describe('WorkFinder with gated queues', () => {
  const openGate = (queue: string) => ({ queue, ready: true, opensInMs: 0, hasBreaker: false });

  it('claims of a gated queue only what starts at once, before what may wait in the buffer', async () => {
    const { finder, asked } = setUp({ a: 100 }, { gates: [openGate('g')] }, { room: { g: 100 } });
    const { claimed } = await finder.find({ start: 4, take: 50 });
    expect(asked.gated[0]).toEqual([{ queue: 'g', take: 2, start: 2 }]);
    expect(claimed.slice(0, 2).every(({ claimed: { queue } }) => queue === 'g')).toBe(true);
    expect(perQueue(claimed)).toEqual({ g: 2, a: 48 });
  });

  it('gives it the slots that others leave, and the others those that it leaves', async () => {
    expect(
      perQueue(
        (await setUp({ a: 1 }, { gates: [openGate('g')] }, { room: { g: 100 } }).finder.find({ start: 8, take: 8 }))
          .claimed,
      ),
    ).toEqual({ g: 7, a: 1 });
    expect(
      perQueue(
        (await setUp({ a: 100 }, { gates: [openGate('g')] }, { room: { g: 1 } }).finder.find({ start: 8, take: 8 }))
          .claimed,
      ),
    ).toEqual({ g: 1, a: 7 });
  });

  it('takes turns with the others when there is one slot', async () => {
    const { finder } = setUp({ a: 100 }, { gates: [openGate('g')] }, { room: { g: 100 } });
    const taken: string[] = [];
    for (let look = 0; look < 6; look++) {
      const { claimed } = await finder.find({ start: 1, take: 1 });
      taken.push(...claimed.map(({ claimed: { queue } }) => queue));
    }
    expect(taken.toSorted()).toEqual(['a', 'a', 'a', 'g', 'g', 'g']);
  });

  it('asks no ordinary claim for a gated queue', async () => {
    const { finder, asked } = setUp({ a: 1 }, { gates: [openGate('g')] }, { room: { g: 1 } });
    await finder.find({ start: 3, take: 3 });
    expect(asked.claims.length).toBeGreaterThan(0);
    expect(asked.claims.flatMap(({ quotas }) => quotas.map(({ queue }) => queue))).not.toContain('g');
  });

  it('asks no claim of a closed gate and comes back when that opens, but not in a hurry', async () => {
    const closed = (opensInMs: number | null, ready = true) => ({ ...openGate('g'), opensInMs, ready });
    const next = async (...gates: QueueGateOutlook[]) => {
      const { finder, asked } = setUp({ a: 0 }, { gates }, { room: { g: 100 } });
      const { nextInMs } = await finder.find({ start: 1, take: 1 });
      expect(asked.gated).toEqual([]);
      return nextInMs;
    };
    expect(await next(closed(40))).toBe(40);
    expect(await next(closed(2))).toBe(10);
    expect(await next(closed(null))).toBeNull();
    expect(await next(closed(40, false))).toBeNull();
  });

  it('looks again at once after it has claimed, soon when another worker was claiming, and else only when it is due', async () => {
    const gates = [openGate('g')];
    expect(await setUp({ a: 0 }, { gates }, { room: { g: 1 } }).finder.find({ start: 3, take: 3 })).toMatchObject({
      nextInMs: 0,
    });
    expect(await setUp({ a: 0 }, { gates }, { room: { g: 0 } }).finder.find({ start: 3, take: 3 })).toMatchObject({
      nextInMs: null,
    });
    const contended = setUp({ a: 0 }, { gates }, { room: { g: 1 } });
    contended.busy.count = 1;
    const { nextInMs } = await contended.finder.find({ start: 3, take: 3 });
    expect(nextInMs).toBeGreaterThanOrEqual(10);
    expect(nextInMs).toBeLessThanOrEqual(25);
  });

  it('keeps what it has claimed behind a gate when the claim of others fails', async () => {
    const { finder, failFrom } = setUp({ a: 1 }, { gates: [openGate('g')] }, { room: { g: 100 } });
    failFrom(1);
    expect(perQueue((await finder.find({ start: 8, take: 8 })).claimed)).toEqual({ g: 8 });
  });

  it('leaves a gate alone when no slot is free', async () => {
    const { finder, asked } = setUp({ a: 100 }, { gates: [openGate('g')] }, { room: { g: 100 } });
    expect(perQueue((await finder.find({ start: 0, take: 5 })).claimed)).toEqual({ a: 5 });
    expect(asked.gated).toEqual([]);
  });
});
