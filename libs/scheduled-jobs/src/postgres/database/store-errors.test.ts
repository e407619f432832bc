import { describe, expect, it } from 'vitest';
import { LeaseLostError, StoreUnavailableError } from '../../core/errors.js';
import { isConflict, isDataError, isUnavailable, storeError } from './store-errors.js';

const coded = (code: string) => Object.assign(new Error('x'), { code });
const wrapped = (code: string) => Object.assign(new Error('x'), { driverError: coded(code) });

describe('isUnavailable', () => {
  it.each(['08006', '53300', '57P01', '57P03', '57014', '25P03', '25006', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])(
    'takes %s for an outage',
    (code) => {
      expect(isUnavailable(coded(code))).toBe(true);
      expect(isUnavailable(wrapped(code))).toBe(true);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'timeout exceeded when trying to connect',
    'Cannot use a pool after calling end on the pool',
    'Query runner already released. Cannot run queries anymore.',
    'Database connection provided by a query runner was already released, cannot continue to use its querying methods anymore.',
  ])('takes "%s" for an outage', (text) => {
    expect(isUnavailable(new Error(text))).toBe(true);
  });

  it.each([coded('23505'), coded('22P02'), coded('42P01'), new Error('own'), null, 'text', undefined])(
    'takes %s for none',
    (error) => {
      expect(isUnavailable(error)).toBe(false);
    },
  );
});

describe('storeError', () => {
  it('wraps outages with their cause and leaves the rest as it is', () => {
    const cause = coded('57P01');
    expect(storeError(cause, 'claim executions')).toMatchObject({ code: 'JOBS_STORE_UNAVAILABLE', cause });
    const own = new LeaseLostError('job:1', '7');
    expect(storeError(own, 'x')).toBe(own);
    const other = coded('22P02');
    expect(storeError(other, 'x')).toBe(other);
  });

  it('calls a conflict that did not go away unavailable, too', () => {
    expect(storeError(coded('40P01'), 'tick')).toBeInstanceOf(StoreUnavailableError);
  });
});

describe('kinds of errors', () => {
  it('tells conflicts and bad values apart', () => {
    expect([isConflict(coded('40001')), isConflict(coded('40P01')), isConflict(coded('23505'))]).toEqual([
      true,
      true,
      false,
    ]);
    expect([isDataError(coded('22P05')), isDataError(coded('23514')), isDataError(coded('40001'))]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
