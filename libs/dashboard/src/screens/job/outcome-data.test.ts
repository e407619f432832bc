import { describe, expect, it } from 'vitest';
import type { Statistics } from '../../api/answers.js';
import { OUTCOMES, outcomeData, stacked } from './outcome-data.js';

const nothing = { succeeded: 0, completedWithErrors: 0, failed: 0, canceled: 0, skipped: 0 };
const HOUR_MS = 3_600_000;
const begin = Date.parse('2026-08-14T00:00:00Z');
const hour = (index: number, counts: object) => ({
  ...nothing,
  from: new Date(begin + index * HOUR_MS).toISOString(),
  ...counts,
});
const statistics = (buckets: readonly object[]): Statistics =>
  ({
    from: '2026-08-14T00:00:00Z',
    to: '2026-08-17T00:00:00Z',
    bucketMs: HOUR_MS,
    versions: [{ at: '2026-08-14T01:30:00Z', version: 2 }],
    buckets,
  }) as unknown as Statistics;

describe('outcomeData', () => {
  it('has a bar for each stretch, those without executions too, and the marks of versions', () => {
    const data = outcomeData(
      statistics([hour(0, { succeeded: 3, failed: 1 }), hour(1, {}), hour(2, { canceled: 2, skipped: 1 })]),
    );
    expect(data).toMatchObject({
      at: [begin / 1_000, begin / 1_000 + 3_600, begin / 1_000 + 7_200],
      stepSeconds: 3_600,
      counts: { failed: [1, 0, 0], completedWithErrors: [0, 0, 0], succeeded: [3, 0, 0], leftOut: [0, 0, 3] },
      versions: [{ at: begin / 1_000 + 5_400, version: 2 }],
    });
  });

  it('makes bars of days where a bar could not be a part of one', () => {
    const quarters = Array.from({ length: 121 }, (_, index) => hour(index * 6, { failed: 1 }));
    const data = outcomeData({ ...statistics(quarters), bucketMs: 6 * HOUR_MS });
    expect(data.stepSeconds).toBe(86_400);
    expect(data.at).toHaveLength(31);
  });

  it('puts neighbours together where there would be too many bars, and loses none', () => {
    const data = outcomeData(statistics(Array.from({ length: 169 }, (_, index) => hour(index, { succeeded: 1 }))));
    expect(data.at).toHaveLength(57);
    expect(data.at[1]).toBe(begin / 1_000 + 3 * 3_600);
    expect(data.stepSeconds).toBe(10_800);
    expect(data.counts.succeeded.reduce((sum, count) => sum + count, 0)).toBe(169);
  });
});

describe('stacked', () => {
  it('gives the height of each part, failures on the ground, and none to what is empty', () => {
    const data = outcomeData(
      statistics([hour(0, { succeeded: 3, failed: 1, skipped: 2 }), hour(1, { completedWithErrors: 4 })]),
    );
    expect(OUTCOMES.map(({ name }) => name)).toEqual(['failed', 'completedWithErrors', 'succeeded', 'leftOut']);
    expect(stacked(data)).toEqual([
      [6, null],
      [4, null],
      [null, 4],
      [1, null],
    ]);
  });
});
