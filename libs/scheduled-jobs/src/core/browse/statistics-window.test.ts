import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../duration.js';
import { bucketMs } from './statistics-window.js';

it.each([
  [HOUR_MS, MINUTE_MS],
  [DAY_MS, 15 * MINUTE_MS],
  [7 * DAY_MS, HOUR_MS],
  [30 * DAY_MS, 6 * HOUR_MS],
  [200 * DAY_MS, DAY_MS],
  [732 * DAY_MS, 4 * DAY_MS],
])('A window of %i ms has buckets of %i ms, at most 200', (windowMs, width) => {
  expect(bucketMs(windowMs)).toBe(width);
  expect(windowMs / width).toBeLessThanOrEqual(200);
});
