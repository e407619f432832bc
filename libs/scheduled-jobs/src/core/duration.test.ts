import { describe, expect, it } from 'vitest';
import { durationText, parseDuration } from './duration.js';

describe('durationText', () => {
  it.each([
    [0, '0ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [1_500, '1500ms'],
    [90_000, '90s'],
    [3_600_000, '1h'],
    [86_400_000, '1d'],
    [90_000_000, '25h'],
  ])('writes %d ms as %s, which reads as the same', (ms, text) => {
    expect(durationText(ms)).toBe(text);
    expect(parseDuration(text)).toBe(ms);
  });
});
