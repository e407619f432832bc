import { describe, expect, it } from 'vitest';
import { claimedExecution, eventually } from '../../../../test/support/engine.js';
import { AttemptPool } from './attempt-pool.js';
import { HeldExecution } from './held-execution.js';

/** A pool whose handlers settle when the test says so. */
function setUp(concurrency: number) {
  const time = { ms: 0 };
  const running = new Map<HeldExecution, () => void>();
  const released: HeldExecution[] = [];
  const seen = { room: 0 };
  const pool = new AttemptPool({
    concurrency,
    monotonicMs: () => time.ms,
    run: (held, slotFreed) =>
      new Promise((recorded) => {
        running.set(held, () => {
          running.delete(held);
          slotFreed();
          recorded();
        });
      }),
    release: async (held) => void released.push(held),
    onRoom: () => seen.room++,
  });
  const take = () => {
    const held = new HeldExecution(claimedExecution(), { sentMs: 0, receivedMs: 0 });
    pool.take(held);
    return held;
  };
  const settleOne = () => [...running.values()][0]?.();
  return { pool, time, running, released, seen, take, settleOne };
}

/** A pool that has learned that attempts are short, so that it claims ahead. */
function setUpWithBuffer(concurrency: number) {
  const parts = setUp(concurrency);
  parts.take();
  parts.settleOne();
  return parts;
}

describe('AttemptPool', () => {
  it('has room for as many as it may run, and for no more while attempts may be long', () => {
    const { pool, take, time, settleOne } = setUp(2);
    expect(pool.room).toEqual({ start: 2, take: 2 });
    take();
    expect(pool.room).toEqual({ start: 1, take: 1 });
    take();
    expect(pool.room).toEqual({ start: 0, take: 0 });
    time.ms += 1_000;
    settleOne();
    expect(pool.room).toEqual({ start: 1, take: 1 });
  });

  it('claims ahead once attempts are short, and starts from its buffer when a slot is freed', () => {
    const { pool, running, take, settleOne } = setUpWithBuffer(1);
    expect(pool.room.take).toBeGreaterThan(100);
    const [first, second] = [take(), take()];
    expect([...running.keys()]).toEqual([first]);
    settleOne();
    expect([...running.keys()]).toEqual([second]);
  });

  it('claims half a buffer behind what has not arrived yet, none of which starts at once', () => {
    const { pool, take } = setUpWithBuffer(1);
    const { take: first } = pool.room;
    const behind = pool.roomBehind(first);
    expect(behind).toEqual({ start: 0, take: first - 1 });
    for (let arrived = 0; arrived < first; arrived++) take();
    expect(pool.roomBehind(behind.take)).toEqual({ start: 0, take: 0 });
    pool.close();
    expect(pool.roomBehind(0)).toEqual({ start: 0, take: 0 });
  });

  it('says that there is room whenever a slot is freed and the buffer runs low', () => {
    const { seen, take, settleOne } = setUp(1);
    take();
    settleOne();
    expect(seen.room).toBe(1);
  });

  it('hands back what has waited too long', () => {
    const { pool, time, released, take } = setUpWithBuffer(1);
    take();
    const waiting = [take(), take()];
    expect(pool.staleInMs).toBe(500);
    time.ms += 499;
    pool.releaseStale();
    expect(released).toEqual([]);
    time.ms += 1;
    pool.releaseStale();
    expect(released).toEqual(waiting);
    expect(pool.staleInMs).toBeNull();
  });

  it('hands back what is canceled or lost while it waits', () => {
    const { pool, released, running, take, settleOne } = setUpWithBuffer(1);
    take();
    const [canceled, lost] = [take(), take()];
    canceled.requestCancel();
    lost.lose();
    expect(released).toEqual([canceled, lost]);
    settleOne();
    expect(running.size).toBe(0);
    expect(pool.runningCount).toBe(0);
  });

  it('starts nothing once it is closed: what waits or still arrives is handed back', async () => {
    const { pool, released, running, take, settleOne } = setUpWithBuffer(1);
    const first = take();
    const waiting = take();
    pool.close();
    const late = take();
    expect(pool.room).toEqual({ start: 0, take: 0 });
    expect(released).toEqual([waiting, late]);
    expect([...running.keys()]).toEqual([first]);
    let settled = false;
    void pool.settled().then(() => (settled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    settleOne();
    await eventually(() => settled);
  });

  it('lets a full buffer run dry now and then, so that a slot is free when it claims', () => {
    const { pool, time, take, settleOne, running } = setUpWithBuffer(1);
    take();
    while (time.ms < 5_000) {
      expect(pool.room.take).toBeGreaterThan(0);
      take();
      time.ms += 4;
      settleOne();
    }
    expect(running.size).toBe(1);
    expect(pool.room).toEqual({ start: 0, take: 0 });
    settleOne();
    expect(pool.room.start).toBe(1);
    take();
    expect(pool.room).toMatchObject({ start: 0, take: expect.any(Number) as number });
    expect(pool.room.take).toBeGreaterThan(0);
  });

  it('starts nothing while 2,000 ends wait to be recorded, and goes on when one is', async () => {
    const ends: (() => void)[] = [];
    const pool = new AttemptPool({
      concurrency: 1,
      monotonicMs: () => 0,
      run: (_held, slotFreed) => {
        slotFreed();
        return new Promise((recorded) => ends.push(recorded));
      },
      release: async () => undefined,
      onRoom: () => undefined,
    });
    const take = () => pool.take(new HeldExecution(claimedExecution(), { sentMs: 0, receivedMs: 0 }));
    for (let taken = 0; taken < 2_001; taken++) take();
    expect(ends).toHaveLength(2_000);
    expect(pool.room.start).toBe(0);
    ends[0]?.();
    await eventually(() => ends.length === 2_001);
    expect(pool.room.start).toBe(0);
  });
});
