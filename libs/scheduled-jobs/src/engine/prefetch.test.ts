import { describe, expect, it } from 'vitest';
import { Prefetch } from './prefetch.js';

function after(...durations: number[]): number {
  const prefetch = new Prefetch(10);
  for (const durationMs of durations) prefetch.note(durationMs);
  return prefetch.size;
}

describe('Prefetch', () => {
  it('claims nothing ahead before it knows how long attempts take, and nothing for long ones', () => {
    expect(after()).toBe(0);
    expect(after(50)).toBe(0);
    expect(after(3_600_000)).toBe(0);
  });

  it('claims about 50 ms of work ahead, and never more than 2,000', () => {
    expect(after(10)).toBe(50);
    expect(after(1)).toBe(500);
    expect(after(0)).toBe(2_000);
  });

  it('follows a change within a few attempts', () => {
    expect(after(1, ...Array.from({ length: 3 }, () => 200))).toBe(0);
  });
});
