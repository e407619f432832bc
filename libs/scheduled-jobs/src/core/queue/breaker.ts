import type { AttemptRecord } from '../execution/attempt-record.js';
import type { BreakerSettings } from './queue-limits.js';

/** What one attempt says of the service behind its queue. */
export interface Verdict {
  readonly queue: string;
  /** Of the attempt's lease: it tells whether it was claimed before the breaker opened last. */
  readonly leaseToken: string;
  readonly failed: boolean;
}

/** Calls within the window, counted in two halves of it, so that nothing has to be kept of each call. */
export interface Tally {
  /** When the present half began, milliseconds since 1970. */
  readonly sinceMs: number;
  readonly calls: number;
  readonly failures: number;
  /** Of the half before. */
  readonly earlierCalls: number;
  readonly earlierFailures: number;
}

/**
 * What is kept of a breaker. Closed = `openUntil` is null; open = that is to come; half-open = that has passed, and probes
 * are let through. Time alone makes an open one half-open, so nobody has to write that down.
 */
export interface BreakerState {
  readonly tally: Tally | null;
  readonly openUntil: Date | null;
  /** How often it has opened in a row. */
  readonly openings: number;
  /** Only attempts with a greater token count: what was claimed before the last opening says nothing new. */
  readonly openedToken: string | null;
  /** Probes that have succeeded. */
  readonly probesPassed: number;
}

/** What verdicts have made of a breaker. */
export interface Judgement {
  readonly state: Omit<BreakerState, 'openedToken'>;
  readonly change: 'opened' | 'closed' | null;
  /** What it opened for: of the window, or of the probes. */
  readonly calls: number;
  readonly failures: number;
}

/**
 * Whether an attempt says that the service behind its queue fails; null = it says nothing of it. A permanent error is about
 * the one execution, and an attempt that was stopped from outside is about nothing.
 */
export function callFailed({ outcome, error }: Pick<AttemptRecord, 'outcome' | 'error'>): boolean | null {
  if (outcome === 'succeeded' || outcome === 'completed_with_errors') return false;
  const counts = outcome === 'failed' || outcome === 'timed_out' || outcome === 'deferred';
  return counts && error !== null && error.kind !== 'permanent' ? true : null;
}

/**
 * The rule of the circuit breaker. While closed it opens when the share of failures among the calls of the window reaches
 * the ratio, but not before so many calls. After that the first failed probe opens it again, for twice as long, and as many
 * successes as there are probes close it.
 */
export function judge(
  state: BreakerState,
  verdicts: readonly Verdict[],
  { settings, now }: { readonly settings: BreakerSettings; readonly now: Date },
): Judgement {
  const news = verdicts.filter((verdict) => isNews(verdict, state.openedToken));
  const failures = news.filter(({ failed }) => failed).length;
  const counted = { calls: news.length, failures };
  if (news.length === 0) return { state, change: null, ...counted };
  if (state.openUntil !== null) return judgeProbes(state, counted, { settings, now });
  const tally = added(rolled(state.tally, settings.windowMs, now.getTime()), counted);
  const window = { calls: tally.calls + tally.earlierCalls, failures: tally.failures + tally.earlierFailures };
  const isTooMany = window.calls >= settings.minimum && window.failures / window.calls >= settings.failureRatio;
  if (failures > 0 && isTooMany) return { state: opened(0, settings, now), change: 'opened', ...window };
  return { state: { ...state, tally }, change: null, ...window };
}

interface Counted {
  readonly calls: number;
  readonly failures: number;
}

function judgeProbes(
  state: BreakerState,
  counted: Counted,
  { settings, now }: { readonly settings: BreakerSettings; readonly now: Date },
): Judgement {
  if (counted.failures > 0) return { state: opened(state.openings, settings, now), change: 'opened', ...counted };
  const probesPassed = state.probesPassed + counted.calls;
  if (probesPassed < settings.probes) return { state: { ...state, probesPassed }, change: null, ...counted };
  return { state: { tally: null, openUntil: null, openings: 0, probesPassed: 0 }, change: 'closed', ...counted };
}

function opened(openings: number, { openForMs, maxOpenForMs }: BreakerSettings, now: Date): Judgement['state'] {
  const forMs = Math.min(openForMs * 2 ** openings, maxOpenForMs);
  return { tally: null, openUntil: new Date(now.getTime() + forMs), openings: openings + 1, probesPassed: 0 };
}

/** Tokens are compared as numbers, which may be greater than JavaScript's. */
const isNews = ({ leaseToken }: Verdict, openedToken: string | null): boolean =>
  openedToken === null || BigInt(leaseToken) > BigInt(openedToken);

/** The tally at an instant: a half that is over becomes the earlier one, and what is older than the window goes. */
export function rolled(tally: Tally | null, windowMs: number, nowMs: number): Tally {
  const halfMs = windowMs / 2;
  const elapsedMs = tally === null ? Number.POSITIVE_INFINITY : nowMs - tally.sinceMs;
  if (tally === null || elapsedMs >= windowMs) {
    return { sinceMs: nowMs, calls: 0, failures: 0, earlierCalls: 0, earlierFailures: 0 };
  }
  if (elapsedMs < halfMs) return tally;
  const { sinceMs, calls, failures } = tally;
  return { sinceMs: sinceMs + halfMs, calls: 0, failures: 0, earlierCalls: calls, earlierFailures: failures };
}

const added = (tally: Tally, { calls, failures }: Counted): Tally => ({
  ...tally,
  calls: tally.calls + calls,
  failures: tally.failures + failures,
});
