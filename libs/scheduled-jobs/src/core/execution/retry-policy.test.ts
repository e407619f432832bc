import { describe, expect, it } from 'vitest';
import { backoffMs } from './retry-policy.js';

describe('backoffMs', () => {
  it('repeats the last delay of a list', () => {
    const backoff = { kind: 'list', delaysMs: [60_000, 300_000, 900_000] } as const;
    expect([1, 2, 3, 4, 99].map((attempt) => backoffMs(backoff, attempt))).toEqual([
      60_000, 300_000, 900_000, 900_000, 900_000,
    ]);
  });

  it('grows by the factor up to the maximum, also where the power overflows', () => {
    const backoff = { kind: 'exponential', firstMs: 1_000, factor: 2, maxMs: 3_600_000 } as const;
    expect([1, 2, 3, 4, 5].map((attempt) => backoffMs(backoff, attempt))).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect([13, 64, 1_100, 1_000_000].map((attempt) => backoffMs(backoff, attempt))).toEqual([
      3_600_000, 3_600_000, 3_600_000, 3_600_000,
    ]);
  });
});
