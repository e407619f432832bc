import { DAY_MS, HOUR_MS, MINUTE_MS } from '../duration.js';

const WIDTHS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS];
const MAX_BUCKETS = 200;

/** The narrowest usual width of which at most 200 buckets fill a window, milliseconds; beyond, whole days. */
export function bucketMs(windowMs: number): number {
  const usual = WIDTHS.find((width) => windowMs / width <= MAX_BUCKETS);
  return usual ?? Math.ceil(windowMs / MAX_BUCKETS / DAY_MS) * DAY_MS;
}
