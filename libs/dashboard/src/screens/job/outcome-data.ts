import type { Statistics } from '../../api/answers.js';
import { DAY_MS } from '../../time/spans.js';
import { seconds, versionMarks, type Stretch } from './chart-data.js';

/** How executions ended over time: one bar for each stretch, also where there were none. Instants in seconds. */
export interface OutcomeData extends Stretch {
  readonly at: readonly number[];
  /** What a bar stands for. */
  readonly stepSeconds: number;
  /** By the names of `OUTCOMES`, one number for each bar. */
  readonly counts: Readonly<Record<OutcomeName, readonly number[]>>;
}

type Bucket = Statistics['buckets'][number];
type OutcomeName = 'failed' | 'completedWithErrors' | 'succeeded' | 'leftOut';

interface OutcomeLook {
  readonly name: OutcomeName;
  readonly text: string;
  /** Of the page's styles. */
  readonly edge: string;
  readonly fill: string;
  readonly isHatched?: boolean;
}

/** From the ground up: what asks for attention stands on it, so that it can be compared. */
export const OUTCOMES: readonly OutcomeLook[] = [
  { name: 'failed', text: 'failed', edge: '--bad', fill: '--bad' },
  { name: 'completedWithErrors', text: 'with errors', edge: '--warn', fill: '--warn-ground', isHatched: true },
  { name: 'succeeded', text: 'succeeded', edge: '--good', fill: '--good-ground' },
  { name: 'leftOut', text: 'skipped or canceled', edge: '--line-strong', fill: '--surface' },
];

const COUNTS: Readonly<Record<OutcomeName, (bucket: Bucket) => number>> = {
  failed: ({ failed }) => failed,
  completedWithErrors: ({ completedWithErrors }) => completedWithErrors,
  succeeded: ({ succeeded }) => succeeded,
  leftOut: ({ skipped, canceled }) => skipped + canceled,
};

/** More of them are too thin to be told apart. */
const BARS_AT_MOST = 60;

/** Neighbouring stretches are put together where they would make too many bars. */
export function outcomeData({ from, to, buckets, bucketMs, versions }: Statistics): OutcomeData {
  const together = togetherOf(buckets.length, bucketMs);
  const bars = Array.from({ length: Math.ceil(buckets.length / together) }, (_, index) =>
    buckets.slice(index * together, (index + 1) * together),
  );
  const countsOf = (count: (bucket: Bucket) => number): readonly number[] =>
    bars.map((bar) => bar.reduce((sum, bucket) => sum + count(bucket), 0));
  return {
    at: bars.map(([first]) => seconds(first?.from ?? from)),
    stepSeconds: (together * bucketMs) / 1_000,
    counts: {
      failed: countsOf(COUNTS.failed),
      completedWithErrors: countsOf(COUNTS.completedWithErrors),
      succeeded: countsOf(COUNTS.succeeded),
      leftOut: countsOf(COUNTS.leftOut),
    },
    from: seconds(from),
    to: seconds(to),
    versions: versionMarks(versions),
  };
}

const isEven = (ms: number): boolean => DAY_MS % ms === 0 || ms % DAY_MS === 0;

/** How many stretches make a bar: whole days, or a part of one without a rest, or daily jobs would beat against the bars. */
function togetherOf(count: number, bucketMs: number): number {
  let together = Math.max(1, Math.ceil(count / BARS_AT_MOST));
  while (!isEven(together * bucketMs) && together < count) together += 1;
  return together;
}

/** How high each part of the bars reaches, the highest first; an empty part reaches nowhere, so that no line marks it. */
export function stacked({ at, counts }: OutcomeData): (number | null)[][] {
  const below = at.map(() => 0);
  const parts = OUTCOMES.map(({ name }) =>
    counts[name].map((count, index) => {
      below[index] = (below[index] ?? 0) + count;
      return count === 0 ? null : (below[index] ?? null);
    }),
  );
  return parts.toReversed();
}
