import type { Statistics } from '../../api/answers.js';
import { instantText } from '../../time/instant-text.js';
import { HOUR_MS, MINUTE_MS } from '../../time/spans.js';

/** The time that a chart goes over, and when other versions of the schedule came into force. Instants in seconds. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly versions: readonly { readonly at: number; readonly version: number }[];
}

/** One point for each stretch of the window that has a value. Instants in seconds. */
export interface ChartData extends Stretch {
  readonly at: readonly number[];
  readonly p50Ms: readonly number[];
  readonly p95Ms: readonly number[];
}

type Measure = 'duration' | 'startDelay';
type Bucket = Statistics['buckets'][number];

const MEMBERS = {
  duration: ['p50Ms', 'p95Ms'],
  startDelay: ['startDelayP50Ms', 'startDelayP95Ms'],
} as const satisfies Record<Measure, readonly [keyof Bucket, keyof Bucket]>;

const DAY = 86_400;
export const seconds = (instant: string): number => Date.parse(instant) / 1_000;

/** One measure over the window; stretches in which there was nothing to measure are left out. */
export function chartData({ from, to, buckets, versions }: Statistics, measure: Measure): ChartData {
  const [p50, p95] = MEMBERS[measure];
  const points = buckets.flatMap((bucket) => {
    const [low, high] = [bucket[p50], bucket[p95]];
    return low === null || high === null ? [] : [{ at: seconds(bucket.from), low, high }];
  });
  return {
    at: points.map(({ at }) => at),
    p50Ms: points.map(({ low }) => low),
    p95Ms: points.map(({ high }) => high),
    from: seconds(from),
    to: seconds(to),
    versions: versionMarks(versions),
  };
}

export const versionMarks = (versions: Statistics['versions']): Stretch['versions'] =>
  versions.map(({ at, version }) => ({ at: seconds(at), version }));

/** What stands at a tick of the time axis; `stepSeconds` is what lies between two. */
export function axisText(at: number, stepSeconds: number, timeZone: string): string {
  const { date, time } = instantText(at * 1_000, timeZone);
  return stepSeconds >= DAY || time.startsWith('00:00') ? date.slice(5) : time.slice(0, 5);
}

/** Ticks of an axis of durations: round by the clock, not by ten. */
export const DURATION_STEPS: readonly number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((each) => each * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE_MS),
  ...[1, 2, 4, 6, 12, 24, 48, 96, 192].map((each) => each * HOUR_MS),
];
