import { describe, expect, it } from 'vitest';
import { FailurePause } from './failure-pause.js';

const pauses = (random: number, count: number): number[] => {
  const pause = new FailurePause({ random: () => random });
  return Array.from({ length: count }, () => pause.next());
};

describe('FailurePause', () => {
  it('doubles from 100 ms to 30 s, and stays there for ever', () => {
    expect(pauses(1, 11)).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
    expect(pauses(1, 2_000).at(-1)).toBe(30_000);
  });

  it('spreads each pause between its half and its whole', () => {
    expect(pauses(0, 2)).toEqual([50, 100]);
    expect(pauses(0.5, 2)).toEqual([75, 150]);
  });

  it('begins again after a success', () => {
    const pause = new FailurePause({ random: () => 1 });
    pause.next();
    pause.next();
    pause.reset();
    expect(pause.next()).toBe(100);
  });
});
