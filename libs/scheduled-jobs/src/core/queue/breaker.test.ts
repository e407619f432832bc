import { describe, expect, it } from 'vitest';
import { storedError } from '../../../../../test/support/ledger.js';
import type { AttemptRecord } from '../execution/attempt-record.js';
import { callFailed, judge, rolled, type BreakerState, type Verdict } from './breaker.js';
import type { BreakerSettings } from './queue-limits.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);
const CLOSED: BreakerState = { tally: null, openUntil: null, openings: 0, openedToken: null, probesPassed: 0 };
const SETTINGS: BreakerSettings = {
  failureRatio: 0.5,
  minimum: 4,
  windowMs: 10_000,
  openForMs: 1_000,
  maxOpenForMs: 3_000,
  probes: 2,
};

/** `-` is a failure, `+` a success; tokens count from `from`. */
const verdicts = (signs: string, from = 10): Verdict[] =>
  Array.from(signs, (sign, index) => ({ queue: 'q', leaseToken: String(from + index), failed: sign === '-' }));
const judged = (state: BreakerState, signs: string, now = NOW, settings: Partial<BreakerSettings> = {}) =>
  judge(state, verdicts(signs), { settings: { ...SETTINGS, ...settings }, now });
const OPEN: BreakerState = { ...CLOSED, openUntil: NOW, openings: 1, openedToken: '9' };

describe('a closed breaker', () => {
  it.each([
    ['---', null],
    ['+++-', null],
    ['++--', 'opened'],
    ['----', 'opened'],
    ['+++++----', null],
    ['++++', null],
  ])('after %s is %s', (signs, change) => {
    expect(judged(CLOSED, signs).change).toBe(change);
  });

  it('opens for its time, counted from now, and tells for what', () => {
    expect(judged(CLOSED, '+---')).toEqual({
      state: { tally: null, openUntil: later(1_000), openings: 1, probesPassed: 0 },
      change: 'opened',
      calls: 4,
      failures: 3,
    });
  });

  it('counts calls of several batches together within its window, and forgets what is older', () => {
    const first = judged(CLOSED, '---');
    const state = { ...CLOSED, ...first.state };
    expect(judged(state, '-', later(4_999)).change).toBe('opened');
    expect(judged(state, '-', later(9_999)).change).toBe('opened');
    expect(judged(state, '-', later(10_000)).change).toBeNull();
  });

  it('does not open by a success, though its failures are enough', () => {
    const { state } = judged(CLOSED, '---', NOW, { minimum: 4 });
    expect(judged({ ...CLOSED, ...state }, '+')).toMatchObject({ change: null, calls: 4, failures: 3 });
  });

  it('ignores what was claimed before it opened last', () => {
    expect(judged({ ...CLOSED, openedToken: '13' }, '----')).toMatchObject({ change: null, calls: 0 });
    expect(judged({ ...CLOSED, openedToken: '9007199254740993' }, '----')).toMatchObject({ change: null, calls: 0 });
  });
});

describe('a breaker with probes', () => {
  it('closes when as many probes have succeeded as it lets through', () => {
    const first = judged(OPEN, '+');
    expect(first).toMatchObject({ change: null, state: { probesPassed: 1, openUntil: NOW } });
    expect(judged({ ...OPEN, ...first.state }, '+')).toMatchObject({
      change: 'closed',
      state: { tally: null, openUntil: null, openings: 0, probesPassed: 0 },
    });
  });

  it('opens again with the first failure, each time for twice as long, within its bound', () => {
    const times = [];
    let state = OPEN;
    for (let round = 0; round < 4; round++) {
      const next = judged(state, '+-');
      expect(next.change).toBe('opened');
      times.push(next.state.openUntil!.getTime() - NOW.getTime());
      state = { ...state, ...next.state };
    }
    expect(times).toEqual([2_000, 3_000, 3_000, 3_000]);
    expect(judged({ ...OPEN, openings: 5_000 }, '-').state.openUntil).toEqual(later(3_000));
  });

  it('is moved by no verdict of before it opened', () => {
    expect(judged({ ...OPEN, openedToken: '11' }, '--')).toMatchObject({ change: null, state: { openings: 1 } });
  });
});

describe('callFailed', () => {
  const failed = (outcome: AttemptRecord['outcome'], kind: 'transient' | 'throttled' | 'permanent' | null) =>
    callFailed({ outcome, error: kind === null ? null : { ...storedError(), kind } });

  it.each([
    ['succeeded', null, false],
    ['completed_with_errors', null, false],
    ['failed', 'transient', true],
    ['timed_out', 'transient', true],
    ['deferred', 'throttled', true],
    ['failed', 'permanent', null],
    ['failed', null, null],
    ['canceled', null, null],
    ['interrupted', null, null],
    [null, null, null],
  ] as const)('of an attempt that %s with an error that is %s is %s', (outcome, kind, expected) => {
    expect(failed(outcome, kind)).toBe(expected);
  });
});

describe('rolled', () => {
  it('never counts what is older than the window', () => {
    const tally = { sinceMs: 0, calls: 2, failures: 1, earlierCalls: 4, earlierFailures: 3 };
    expect(rolled(tally, 1_000, 499)).toEqual(tally);
    expect(rolled(tally, 1_000, 500)).toEqual({
      sinceMs: 500,
      calls: 0,
      failures: 0,
      earlierCalls: 2,
      earlierFailures: 1,
    });
    expect(rolled(tally, 1_000, 1_000)).toMatchObject({ sinceMs: 1_000, calls: 0, earlierCalls: 0 });
    expect(rolled(tally, 1_000, -5)).toEqual(tally);
  });
});
