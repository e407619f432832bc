import { describe, expect, it } from 'vitest';
import { retryDelayMs, type Backoff, type Jitter } from './retry-policy.js';

const LIST = { kind: 'list', delaysMs: [60_000, 300_000, 900_000] } as const;
const EXPONENTIAL = { kind: 'exponential', firstMs: 1_000, factor: 2, maxMs: 3_600_000 } as const;
const NEARLY_ONE = 1 - Number.EPSILON / 2;

const delay = (backoff: Backoff, attempt: number, jitter: Jitter = 'none', random = 0.5) =>
  retryDelayMs({ maxAttempts: 4, backoff, jitter, deadlineMs: 1, retryAfterMaxMs: 1 }, attempt, random);

describe('retryDelayMs', () => {
  it('repeats the last delay of a list', () => {
    expect([1, 2, 3, 4, 99].map((attempt) => delay(LIST, attempt))).toEqual([
      60_000, 300_000, 900_000, 900_000, 900_000,
    ]);
  });

  it('grows by the factor up to the maximum, also where the power overflows', () => {
    expect([1, 2, 3, 4, 5].map((attempt) => delay(EXPONENTIAL, attempt))).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect([13, 64, 1_100, 1_000_000].map((attempt) => delay(EXPONENTIAL, attempt))).toEqual([
      3_600_000, 3_600_000, 3_600_000, 3_600_000,
    ]);
  });

  it.each([
    ['none', LIST, [60_000, 60_000, 60_000]],
    ['equal', LIST, [60_000, 45_000, 30_001]],
    ['full', LIST, [60_000, 30_000, 1]],
    ['none', EXPONENTIAL, [1_000, 1_000, 1_000]],
    ['equal', EXPONENTIAL, [1_000, 750, 501]],
    ['full', EXPONENTIAL, [1_000, 500, 1]],
  ] as const)('leaves to chance what jitter "%s" says of %o', (jitter, backoff, delays) => {
    expect([0, 0.5, NEARLY_ONE].map((random) => delay(backoff, 1, jitter, random))).toEqual(delays);
  });

  it.each(['none', 'equal', 'full'] as const)('stays above 0 and within the backoff with jitter "%s"', (jitter) => {
    for (const backoff of [LIST, EXPONENTIAL, { ...EXPONENTIAL, firstMs: 1, factor: 1.1 }]) {
      for (const attempt of [1, 2, 13, 64, 1_100, 1_000_000]) {
        for (const random of [0, 1e-12, 0.3, 0.999, NEARLY_ONE]) {
          const delayMs = delay(backoff, attempt, jitter, random);
          expect(Number.isSafeInteger(delayMs)).toBe(true);
          expect(delayMs).toBeGreaterThan(0);
          expect(delayMs).toBeLessThanOrEqual(delay(backoff, attempt));
        }
      }
    }
  });

  it('waits for nothing where the backoff says so', () => {
    expect(delay({ kind: 'list', delaysMs: [0] }, 1, 'full', 0.9)).toBe(0);
  });
});
