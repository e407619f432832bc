import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../duration.js';
import { OptionReader } from './option-reader.js';
import { resolveRetention } from './resolve-retention.js';

const DEFAULTS = {
  succeeded: 30 * DAY_MS,
  skipped: 30 * DAY_MS,
  canceled: 30 * DAY_MS,
  failed: 90 * DAY_MS,
  completed_with_errors: 90 * DAY_MS,
};

function resolve(retention: unknown, windowMs = 0) {
  const problems: string[] = [];
  const reader = new OptionReader({ retention }, '', problems);
  return { resolved: resolveRetention(reader, windowMs), problems };
}

describe('resolveRetention', () => {
  it('keeps what went well for 30 days and what failed for 90', () => {
    expect(resolve(undefined)).toEqual({ resolved: DEFAULTS, problems: [] });
    expect(resolve({})).toEqual({ resolved: DEFAULTS, problems: [] });
  });

  it('takes one duration for all states', () => {
    expect(new Set(Object.values(resolve('7d').resolved))).toEqual(new Set([7 * DAY_MS]));
  });

  it('takes durations for some states and leaves the others', () => {
    expect(resolve({ succeeded: '1h', failed: '365d' })).toEqual({
      resolved: { ...DEFAULTS, succeeded: HOUR_MS, failed: 365 * DAY_MS },
      problems: [],
    });
  });

  it('raises defaults to a catch-up window that is longer', () => {
    expect(resolve(undefined, 60 * DAY_MS).resolved).toEqual({
      ...DEFAULTS,
      succeeded: 60 * DAY_MS,
      skipped: 60 * DAY_MS,
      canceled: 60 * DAY_MS,
    });
    expect(resolve({ failed: '200d' }, 100 * DAY_MS).resolved).toEqual({
      succeeded: 100 * DAY_MS,
      skipped: 100 * DAY_MS,
      canceled: 100 * DAY_MS,
      failed: 200 * DAY_MS,
      completed_with_errors: 100 * DAY_MS,
    });
  });

  it('refuses what is written shorter than the catch-up window, which may be as long', () => {
    expect(resolve('23h', DAY_MS).problems).toEqual([
      'retention must not be shorter than catchUp.window (1d), got 23h',
    ]);
    expect(resolve({ skipped: '1h', failed: '1d' }, DAY_MS).problems).toEqual([
      'retention.skipped must not be shorter than catchUp.window (1d), got 1h',
    ]);
    expect(resolve('1d', DAY_MS).problems).toEqual([]);
  });

  it.each([
    ['59s', 'retention must be a duration'],
    ['soon', 'retention must be a duration'],
    [60_000, 'retention must be an object'],
    [{ succeeded: '59s' }, 'retention.succeeded must be a duration of at least 1m'],
    [{ pending: '1d' }, 'retention.pending is not an option'],
  ])('refuses %o', (retention, problem) => {
    expect(resolve(retention).problems).toEqual([expect.stringContaining(problem)]);
  });
});
