import { readFileSync } from 'node:fs';
import { readSchedule } from './oracle-schedule.js';
import { DEFAULT_POLICY, expectedIn, type Policy } from './oracle.js';
import type { PeerCase } from './peer-judge.js';
import { expressionsAround, type Choice } from './schedules-around.js';
import { WallClock, type OffsetChange } from './wall-clock.js';
import { readWindow, windowAround, type WallWindow } from './wall-window.js';

/** A recorded case: what an expression has to give after an instant, and the local date each occurrence is named for. */
export interface CalendarCase {
  readonly expression: string;
  readonly timeZone: string;
  readonly after: string;
  readonly expected: readonly string[];
  readonly dates: readonly string[];
}

const SECOND_MS = 1_000;
const HOUR = 3_600;
const DAY = 86_400;
const MAX_WINDOW = 100 * DAY;

export const CALENDAR_CASES = JSON.parse(
  readFileSync(new URL('../support/calendar-cases.json', import.meta.url), 'utf8'),
) as readonly CalendarCase[];

/** Every consistent way to treat gaps and folds that we know of, beside ours. */
const OTHER_POLICIES: readonly Policy[] = [
  ...(['by-text', 'all'] as const).flatMap((named) =>
    (['next-valid', 'skip', 'shift'] as const).flatMap((gap) =>
      (['first', 'last', 'both'] as const).map((fold) => ({ gap, fold, named })),
    ),
  ),
  { ...DEFAULT_POLICY, named: 'none' },
];

/** Readings over the whole of a recorded case; null when it takes more than 100 days. */
export function windowOf({ timeZone, after, expected }: CalendarCase): WallWindow | null {
  const from = Math.floor(secondOf(after) / DAY - 2) * DAY;
  const until = Math.ceil(secondOf(expected.at(-1) ?? after) / DAY + 2) * DAY;
  if (until - from > MAX_WINDOW) return null;
  return readWindow(new WallClock(timeZone), { from, until, isNear: () => false });
}

/** The recorded cases, as questions to any library. */
export function recordedPeerCases(): readonly PeerCase[] {
  return CALENDAR_CASES.map((recorded) => {
    const { expression, timeZone, expected } = recorded;
    const after = secondOf(recorded.after);
    const until = secondOf(expected.at(-1) ?? recorded.after);
    const alternatives = (): PeerCase['expected'][] => {
      const window = windowOf(recorded);
      return window === null ? [] : alternativesIn(window, { expression, after, until });
    };
    return {
      ...inMs({ expression, timeZone, after, until }),
      expected: expected.map((at) => Date.parse(at)),
      alternatives,
    };
  });
}

/** Cases around a change; the question begins long before it, just before it, at it or just after it. */
export function peerCasesAround(clock: WallClock, change: OffsetChange, choice: Choice): readonly PeerCase[] {
  const window = windowAround(clock, change);
  const size = Math.abs(change.after - change.before);
  return expressionsAround(change, choice).map((expression) => {
    const isDense = expectedIn(window, readSchedule(expression), DEFAULT_POLICY).length > 100;
    const starts = [-(isDense ? 1 : 36) * HOUR, -HOUR / 2, 0, HOUR / 2];
    const after = change.at + (starts[Math.floor(choice.random() * starts.length)] ?? 0);
    const until = change.at + (isDense ? size + HOUR : 36 * HOUR);
    const stretch = { expression, after, until };
    return {
      ...inMs({ ...stretch, timeZone: clock.timeZone }),
      expected: runsUnder(DEFAULT_POLICY, window, stretch),
      alternatives: () => alternativesIn(window, stretch),
    };
  });
}

interface AskedStretch {
  readonly expression: string;
  readonly after: number;
  readonly until: number;
}

const alternativesIn = (window: WallWindow, stretch: AskedStretch): PeerCase['expected'][] =>
  OTHER_POLICIES.map((policy) => runsUnder(policy, window, stretch));

function runsUnder(policy: Policy, window: WallWindow, { expression, after, until }: AskedStretch): readonly number[] {
  return expectedIn(window, readSchedule(expression), policy)
    .filter(({ at, isLeftOut }) => at > after && at <= until && !isLeftOut)
    .map(({ at }) => at * SECOND_MS);
}

const secondOf = (iso: string): number => Date.parse(iso) / SECOND_MS;

const inMs = <T extends { readonly after: number; readonly until: number }>(stretch: T): T => ({
  ...stretch,
  after: stretch.after * SECOND_MS,
  until: stretch.until * SECOND_MS,
});
