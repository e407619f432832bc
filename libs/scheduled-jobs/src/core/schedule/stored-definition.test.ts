import { describe, expect, it } from 'vitest';
import { isSameDefinition, storedDefinition, storedShape } from './stored-definition.js';

const UTC = { timeZone: 'UTC' };

describe('a stored definition', () => {
  it('says of functions only that there are some, and of exclusion nothing where there is none', () => {
    const defaults = {
      period: 'auto',
      periodOf: 'current',
      dst: { gap: 'next-valid', fold: 'first' },
      disabled: false,
    };
    expect(storedShape(UTC, false)).toEqual(defaults);
    const functions = { period: () => 'a', exclude: () => false };
    expect(storedShape({ ...UTC, ...functions }, true)).toEqual({
      ...defaults,
      period: 'custom',
      exclude: 'custom',
      disabled: true,
    });
  });

  it('takes from the code only the functions that it needs, and what the code says now for those that are gone', () => {
    const code = { period: () => 'a', exclude: () => false };
    const needsBoth = { ...UTC, shape: { period: 'custom', exclude: 'custom' } };
    expect(storedDefinition(needsBoth, code)).toEqual({ ...UTC, ...code });
    expect(storedDefinition({ ...UTC, shape: { period: 'day' } }, code)).toEqual({ ...UTC, period: 'day' });
    expect(storedDefinition(needsBoth, { period: 'week' })).toEqual({ ...UTC, period: 'week' });
  });

  it('is the same whatever the order of its members and the spelling of its zone, and else differs', () => {
    const one = {
      expression: '0 * * * *',
      timeZone: 'Asia/Kolkata',
      shape: { period: 'auto', dst: { gap: 'skip', fold: 'last' } },
    };
    const same = { ...one, timeZone: 'asia/calcutta', shape: { dst: { fold: 'last', gap: 'skip' }, period: 'auto' } };
    expect(isSameDefinition(one, same)).toBe(true);
    for (const other of [
      { ...one, expression: '1 * * * *' },
      { ...one, timeZone: 'UTC' },
      { ...one, shape: { ...one.shape, disabled: true } },
      { ...one, shape: { ...one.shape, dst: { gap: 'skip', fold: 'first' } } },
    ]) {
      expect(isSameDefinition(one, other)).toBe(false);
    }
  });
});
