import { describe, expect, it } from 'vitest';
import { greatestRelease, isGreater, takesEffect } from './definition-change.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const IN_USE = secondsAgo(120);
const LEFT = secondsAgo(120.001);

const takes = (
  [release, wasReplaced]: readonly [number | null, boolean],
  [stored, carriedAt]: readonly [number | null, Date | null],
) => takesEffect({ release, wasReplaced }, { release: stored, carriedAt }, NOW);

describe('A definition never seen before', () => {
  it.each([
    ['without numbers', null, null],
    ['of a greater release', 8, 7],
    ['of the first release', 1, null],
    ['of the same release', 7, 7],
    ['of an application that states no release any more', null, 7],
  ])('takes effect at once: %s', (_name, release, stored) => {
    expect(takes([release, false], [stored, NOW])).toBe(true);
  });

  it('of a smaller release waits until nobody has carried the one in force for two minutes', () => {
    expect(takes([6, false], [7, IN_USE])).toBe(false);
    expect(takes([6, false], [7, LEFT])).toBe(true);
    expect(takes([6, false], [7, null])).toBe(true);
  });
});

describe('A definition that was replaced', () => {
  it.each([
    ['without numbers', null, null],
    ['of the same release', 7, 7],
    ['of a smaller release', 6, 7],
    ['of an application that states no release any more', null, 7],
  ])('waits until nobody has carried the one in force for two minutes: %s', (_name, release, stored) => {
    expect(takes([release, true], [stored, IN_USE])).toBe(false);
    expect(takes([release, true], [stored, LEFT])).toBe(true);
    expect(takes([release, true], [stored, null])).toBe(true);
  });

  it.each([
    ['greater', 8, 7],
    ['first', 0, null],
  ])('takes effect at once with the %s release', (_name, release, stored) => {
    expect(takes([release, true], [stored, NOW])).toBe(true);
  });

  it('waits also while the one in force was carried at a moment that is still to come', () => {
    expect(takes([null, true], [null, secondsAgo(-3_600)])).toBe(false);
  });
});

describe('releases', () => {
  it('are compared as numbers, any being greater than none', () => {
    expect([isGreater(10, 9), isGreater(9, 9), isGreater(0, null), isGreater(null, null), isGreater(null, 1)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
    expect([greatestRelease(), greatestRelease(null, null), greatestRelease(null, 9, 10, null)]).toEqual([
      null,
      null,
      10,
    ]);
  });
});
