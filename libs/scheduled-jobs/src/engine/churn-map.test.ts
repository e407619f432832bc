import { describe, expect, it } from 'vitest';
import { ChurnMap } from './churn-map.js';

/** The same numbers each time. */
function numbers(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe('ChurnMap', () => {
  it('holds what a Map would, whatever comes and goes', () => {
    const random = numbers(7);
    const map = new ChurnMap<string>();
    const expected = new Map<number, string>();
    for (let step = 0; step < 50_000; step++) {
      const key = random(2) === 0 ? random(400) : random(40) * 2 ** 32 + random(3);
      for (const one of [map, expected]) {
        if (step % 3 === 0) one.delete(key);
        else if (step % 3 === 1) one.set(key, `${step}`);
      }
      expect(map.get(key)).toBe(expected.get(key));
      expect(map.size).toBe(expected.size);
    }
    const sorted = [...expected.keys()].toSorted((a, b) => a - b);
    expect(map.values()).toEqual(sorted.map((key) => expected.get(key)));
    expect(sorted.every((key) => map.has(key))).toBe(true);
    map.clear();
    expect([map.size, map.values(), map.has(sorted[0] ?? 0)]).toEqual([0, [], false]);
  });

  it('needs no more places for ever more entries that go again', () => {
    const map = new ChurnMap<number>();
    for (let key = 0; key < 100_000; key++) {
      map.set(key, key);
      map.delete(key - 1_000);
    }
    expect(map.size).toBe(1_000);
    expect((map as unknown as { keys: Float64Array }).keys.length).toBeLessThanOrEqual(4_096);
  });
});
