import { describe, expect, it } from 'vitest';
import { expectedKeys } from './expected-periods.mjs';

const at = (time: string) => new Date(`2026-08-14T${time}Z`);

const everyTenSeconds = {
  job: 'sync',
  cursorAt: at('12:00:30'),
  validFrom: at('12:00:00'),
  expression: '*/10 * * * * *',
  timeZone: 'UTC',
  shape: { period: 'auto', disabled: false },
};
const key = (time: string) => `sync:2026-08-14T${time}+00:00`;

describe('expectedKeys', () => {
  it('names the periods from the first cursor, exclusive, to the cursor, inclusive', () => {
    expect(expectedKeys([everyTenSeconds], undefined, [])).toEqual(['12:00:10', '12:00:20', '12:00:30'].map(key));
  });

  it('begins where the cursor stood when that is known', () => {
    expect(expectedKeys([everyTenSeconds], at('12:00:20'), [])).toEqual([key('12:00:30')]);
  });

  it('does not expect what was left out on record', () => {
    const left = { job: 'sync', fromAt: at('12:00:10'), toAt: at('12:00:20') };
    expect(expectedKeys([everyTenSeconds], undefined, [left])).toEqual([key('12:00:30')]);
  });

  it('lets each version rule from its own beginning to that of the next', () => {
    const changed = { ...everyTenSeconds, validFrom: at('12:00:15'), expression: '*/15 * * * * *' };
    expect(expectedKeys([everyTenSeconds, changed], undefined, [])).toEqual([key('12:00:10'), key('12:00:30')]);
  });

  it('counts on behind ten thousand periods', () => {
    const everySecond = { ...everyTenSeconds, expression: '* * * * * *', cursorAt: at('15:00:00') };
    const keys = expectedKeys([everySecond], undefined, []);
    expect(new Set(keys).size).toBe(10_800);
    expect(keys).toHaveLength(10_800);
  });
});
