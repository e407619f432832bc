import { describe, expect, it } from 'vitest';
import { PermanentError, RetryLaterError } from '../errors.js';
import { judgeError, type Classify } from './judge-error.js';

const notFound = Object.assign(new Error('x'), { status: 404, headers: { 'retry-after': '7' } });
const judged = (error: unknown, classify: unknown) => judgeError(error, classify as Classify);

describe('judgeError', () => {
  it.each(['transient', 'throttled', 'permanent'] as const)('lets classify say %s', (kind) => {
    const seen: unknown[] = [];
    const classify: Classify = (error) => {
      seen.push(error);
      return kind;
    };
    expect(judgeError(notFound, classify)).toEqual({ judgement: { kind, retryAfter: 7_000 }, complaint: null });
    expect(seen).toEqual([notFound]);
  });

  it('leaves it to the defaults when classify says nothing, or there is none', () => {
    for (const classify of [null, () => undefined]) {
      expect(judgeError(notFound, classify)).toMatchObject({ judgement: { kind: 'permanent' }, complaint: null });
    }
  });

  it('does not ask classify about what the handler said itself', () => {
    expect(judged(new PermanentError('x'), () => 'transient').judgement.kind).toBe('permanent');
    const later = new RetryLaterError('x', { retryAfter: 5 });
    expect(judged(later, () => 'permanent').judgement).toEqual({ kind: 'throttled', retryAfter: 5 });
  });

  it.each([
    ['NaN', () => Number.NaN, 'gave NaN, not transient, throttled, permanent or undefined'],
    ['-5', () => -5, 'gave -5'],
    ['"10"', () => '10', 'gave "10"'],
    ['null', () => null, 'gave null'],
    ['an object', () => ({ toString: () => 'permanent' }), 'gave an object'],
    ['a promise', () => Promise.resolve('permanent'), 'gave an object'],
    ['a rejected promise', () => Promise.reject(new Error('y')), 'gave an object'],
  ])('takes the default and says so when classify gives %s', (_, classify, complaint) => {
    const { judgement, complaint: said } = judged(notFound, classify);
    expect(judgement.kind).toBe('permanent');
    expect(said).toContain(complaint);
  });

  it.each([
    ['an error', new Error('no idea'), 'threw: no idea'],
    ['nothing', undefined, 'threw: undefined'],
    [
      'what does not want to be read',
      Object.defineProperty({}, 'message', {
        get: () => {
          throw new Error('trap');
        },
      }),
      'threw: {}',
    ],
  ])('takes the default and says so when classify throws %s', (_, thrown, complaint) => {
    const classify = () => {
      throw thrown;
    };
    expect(judged(notFound, classify)).toMatchObject({ judgement: { kind: 'permanent' }, complaint });
  });
});
