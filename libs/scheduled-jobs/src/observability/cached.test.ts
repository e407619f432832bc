import { describe, expect, it } from 'vitest';
import { Cached } from './cached.js';

function counting() {
  let nowMs = 0;
  let reads = 0;
  const waiting: ((error: Error | null) => void)[] = [];
  const cached = new Cached(
    () =>
      new Promise<number>((resolve, reject) => {
        const read = ++reads;
        waiting.push((error) => (error === null ? resolve(read) : reject(error)));
      }),
    { forMs: 100, clock: { monotonicMs: () => nowMs } },
  );
  return { cached, waiting, advance: (ms: number) => (nowMs += ms) };
}

describe('what is kept for a while', () => {
  it('is read once for all who ask meanwhile, however long that takes', async () => {
    const { cached, waiting, advance } = counting();
    const asked = [cached.get(), cached.get()];
    advance(1_000);
    asked.push(cached.get());
    waiting[0]?.(null);
    expect(await Promise.all(asked)).toEqual([1, 1, 1]);
    expect(waiting).toHaveLength(1);
  });

  it('is read anew when its time is over', async () => {
    const { cached, waiting, advance } = counting();
    const first = cached.get();
    waiting[0]?.(null);
    await first;
    advance(99);
    expect(await cached.get()).toBe(1);
    advance(1);
    const second = cached.get();
    waiting[1]?.(null);
    expect(await second).toBe(2);
  });

  it('does not keep a failure', async () => {
    const { cached, waiting } = counting();
    const failed = cached.get();
    waiting[0]?.(new Error('away'));
    await expect(failed).rejects.toThrow('away');
    const second = cached.get();
    waiting[1]?.(null);
    expect(await second).toBe(2);
  });
});
