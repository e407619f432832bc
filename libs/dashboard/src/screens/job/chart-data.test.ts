import { describe, expect, it } from 'vitest';
import type { Statistics } from '../../api/answers.js';
import { axisText, chartData } from './chart-data.js';

const nothing = { succeeded: 0, completedWithErrors: 0, failed: 0, canceled: 0, skipped: 0 };
const none = { p50Ms: null, p95Ms: null, startDelayP50Ms: null, startDelayP95Ms: null };
const bucket = (from: string, values: object) => ({ ...nothing, ...none, from, ...values });
const statistics = {
  from: '2026-08-14T00:00:00Z',
  to: '2026-08-14T03:00:00Z',
  versions: [{ at: '2026-08-14T01:30:00Z', version: 2 }],
  buckets: [
    bucket('2026-08-14T00:00:00Z', { p50Ms: 10, p95Ms: 20, startDelayP50Ms: 1, startDelayP95Ms: 2 }),
    bucket('2026-08-14T01:00:00Z', {}),
    bucket('2026-08-14T02:00:00Z', { startDelayP50Ms: 0, startDelayP95Ms: 0 }),
  ],
} as unknown as Statistics;
const midnight = Date.parse('2026-08-14T00:00:00Z') / 1_000;

describe('chartData', () => {
  it('has a point where there is a value, zero included, and the whole window', () => {
    expect(chartData(statistics, 'duration')).toEqual({
      at: [midnight],
      p50Ms: [10],
      p95Ms: [20],
      from: midnight,
      to: midnight + 3 * 3_600,
      versions: [{ at: midnight + 5_400, version: 2 }],
    });
    expect(chartData(statistics, 'startDelay')).toMatchObject({
      at: [midnight, midnight + 7_200],
      p50Ms: [1, 0],
      p95Ms: [2, 0],
    });
  });

  it('is empty without rows', () => {
    expect(chartData({ ...statistics, buckets: [] }, 'duration')).toMatchObject({ at: [], p50Ms: [], p95Ms: [] });
  });
});

describe('axisText', () => {
  it('is the hour within a day, and the day at its beginning, by the zone', () => {
    expect(axisText(midnight + 21_600, 21_600, 'UTC')).toBe('06:00');
    expect(axisText(midnight, 21_600, 'UTC')).toBe('08-14');
    expect(axisText(midnight, 21_600, 'Asia/Shanghai')).toBe('08:00');
    expect(axisText(midnight + 43_200, 86_400, 'UTC')).toBe('08-14');
  });
});
