import { describe, expect, it } from 'vitest';
import { readCronExpression } from './cron-expression.js';
import { DayMatcher } from './day-matcher.js';
import { NominalInstants } from './nominal-instants.js';
import type { ZoneSpan } from './time-zone.js';
import { TimesOfDay } from './times-of-day.js';
import { WallCalendar } from './wall-calendar.js';

const HOUR = 3_600;
const second = (iso: string): number => Date.parse(iso) / 1_000;
const noFold = { repeatedUntil: Number.NEGATIVE_INFINITY, repeatsFrom: Number.POSITIVE_INFINITY };

/** A zone that once jumps from 18:00 UTC on 1 May over 2 May to 06:00 on 3 May. No real zone has left out so much. */
const CHANGE = second('2026-05-01T18:00:00Z');
const ZONE = {
  spanAt: (instant: number): ZoneSpan =>
    instant < CHANGE
      ? { from: second('2026-01-01T00:00:00Z'), until: CHANGE, offset: 0, gap: null, ...noFold }
      : {
          from: CHANGE,
          until: second('2027-01-01T00:00:00Z'),
          offset: 36 * HOUR,
          gap: { from: CHANGE, until: CHANGE + 36 * HOUR, offsetBefore: 0 },
          ...noFold,
        },
};

function instants(expression: string, gap: 'next-valid' | 'skip'): NominalInstants {
  const fields = readCronExpression(expression, [])!;
  const calendar = new WallCalendar(new DayMatcher(fields.days), new TimesOfDay(fields));
  return new NominalInstants({ calendar, zone: ZONE, namesItsTimes: true, dst: { gap, fold: 'first' } });
}

describe('NominalInstants at a gap that swallows a date and parts of both neighbours', () => {
  const wallOf = (expression: string, gap: 'next-valid' | 'skip'): unknown => {
    const found = instants(expression, gap).firstFrom(CHANGE);
    return found?.at === CHANGE ? new Date(found.wall * 1_000).toISOString().slice(0, 16) : null;
  };

  it('makes up for the parts and not for the date', () => {
    expect(wallOf('0 20 * * *', 'next-valid')).toBe('2026-05-01T20:00');
    expect(wallOf('0 3 * * *', 'next-valid')).toBe('2026-05-03T03:00');
    expect(wallOf('0 12 * * *', 'next-valid')).toBeNull();
  });

  it('belongs to the latest time that it moves, and to the first one that it leaves out', () => {
    expect(wallOf('0 3,12,20,22 * * *', 'next-valid')).toBe('2026-05-03T03:00');
    expect(wallOf('0 3,12,20,22 * * *', 'skip')).toBe('2026-05-01T20:00');
  });
});
