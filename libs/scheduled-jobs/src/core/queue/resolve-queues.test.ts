import { describe, expect, it } from 'vitest';
import { BREAKER_DEFAULTS, rateText, resolveQueues } from './resolve-queues.js';

function resolved(value: unknown) {
  const problems: string[] = [];
  return { limits: resolveQueues(value, 'queues', problems), problems };
}
const problemsOf = (value: unknown) => resolved(value).problems.map((problem) => problem.replace(/, got .*/, ''));
const NONE = { concurrency: null, rate: null, rateMs: null, burst: null, breaker: null };

describe('resolveQueues', () => {
  it('gives limits by name; what is not said is not limited', () => {
    expect(resolved({ mail: { concurrency: 5, rate: '50/s', burst: 10 }, free: {}, pdf: { breaker: true } })).toEqual({
      limits: [
        { name: 'mail', concurrency: 5, rate: 50, rateMs: 1_000, burst: 10, breaker: null },
        { name: 'free', ...NONE },
        { name: 'pdf', ...NONE, breaker: BREAKER_DEFAULTS },
      ],
      problems: [],
    });
    expect(resolved(undefined)).toEqual({ limits: [], problems: [] });
  });

  it.each([
    ['50/s', 5],
    ['5/s', 1],
    ['6000/m', 10],
    ['1000/h', 1],
    ['1000000/d', 1],
  ])('lets the rate %s start %i at once where no burst is given', (rate, burst) => {
    const [limits] = resolved({ q: { rate } }).limits;
    expect(limits).toMatchObject({ burst });
    expect(rateText(limits?.rate ?? 0, limits?.rateMs ?? 0)).toBe(rate);
  });

  it('reads a breaker', () => {
    const breaker = { failureRatio: 0.2, minimum: 3, window: '5s', openFor: '20m', probes: 2 };
    expect(resolved({ q: { breaker } }).limits[0]?.breaker).toEqual({
      failureRatio: 0.2,
      minimum: 3,
      windowMs: 5_000,
      openForMs: 1_200_000,
      maxOpenForMs: 1_200_000,
      probes: 2,
    });
    expect(resolved({ q: { breaker: false } }).limits[0]?.breaker).toBeNull();
  });

  it.each(['50', '0/s', '-1/s', '1.5/s', '50/ms', '50 /s', 50, Number.NaN, '99999999/s', null])(
    'refuses the rate %j',
    (rate) => {
      expect(problemsOf({ q: { rate } })).toEqual([expect.stringContaining('queues.q.rate must be')]);
    },
  );

  it('refuses everything at once', () => {
    expect(
      problemsOf({
        'a b': {},
        q: {
          concurrency: 0,
          burst: 2,
          concurency: 1,
          breaker: { failureRatio: 1.5, minimum: -1, openFor: '0s', probes: Number.NaN, opens: 1 },
        },
        r: 5,
        s: {
          rate: '1/s',
          burst: Number.POSITIVE_INFINITY,
          breaker: { openFor: '1m', maxOpenFor: '30s', failureRatio: Number.NaN },
        },
        t: { breaker: 'yes' },
      }).map((problem) => problem.split(' ')[0]),
    ).toEqual([
      'queues',
      'queues.q.concurency',
      'queues.q.concurrency',
      'queues.q.breaker.opens',
      'queues.q.breaker.openFor',
      'queues.q.breaker.failureRatio',
      'queues.q.breaker.minimum',
      'queues.q.breaker.probes',
      'queues.q.burst',
      'queues.r',
      'queues.s.burst',
      'queues.s.breaker.failureRatio',
      'queues.s.breaker.maxOpenFor',
      'queues.t.breaker',
    ]);
    expect(problemsOf([])).toEqual(['queues must be an object']);
    expect(problemsOf({ q: { concurency: 1 } })[0]).toContain('Did you mean "concurrency"?');
  });
});
