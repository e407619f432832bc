import { describe, expect, it } from 'vitest';
import { InvalidScheduleError } from '../errors.js';
import { parseSchedule, type Schedule } from './schedule.js';
import type { PeriodForm } from './schedule-definition.js';

const iso = (date: Date | null | undefined): string => date?.toISOString().replace('.000Z', 'Z') ?? 'none';
const at = (text: string): Date => new Date(text);

function instants(schedule: Schedule, after: string, limit: number): string[] {
  return schedule.occurrences({ after: at(after), limit }).map(({ scheduledFor }) => iso(scheduledFor));
}

describe('Schedule: explicit periods', () => {
  const hourly = (period: PeriodForm): Schedule => parseSchedule('0 * * * *', { timeZone: 'Europe/Berlin', period });

  it('gives one occurrence per period, at its first time', () => {
    expect(instants(hourly('day'), '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-27T23:00:00Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
    ]);
    expect(instants(hourly('month'), '2026-03-27T12:00:00Z', 2)).toEqual([
      '2026-03-31T22:00:00Z',
      '2026-04-30T22:00:00Z',
    ]);
    expect(instants(hourly('year'), '2026-03-27T12:00:00Z', 1)).toEqual(['2026-12-31T23:00:00Z']);
    expect(instants(hourly('week'), '2026-12-25T12:00:00Z', 2)).toEqual([
      '2026-12-27T23:00:00Z',
      '2027-01-03T23:00:00Z',
    ]);
  });

  it.each(['day', 'week', 'month', (date: Date) => `d${Math.floor((date.getTime() / 3_600_000 + 5) / 40)}`] as const)(
    'never gives a later time of a period that began before `after` (%s)',
    (period) => {
      const schedule = hourly(period);
      const start = at('2026-03-20T00:30:00Z');
      const starts = new Set(
        schedule.occurrences({ after: start, limit: 40 }).map(({ scheduledFor }) => iso(scheduledFor)),
      );
      for (let hour = 0; hour < 24 * 12; hour++) {
        const after = new Date(start.getTime() + hour * 3_600_000);
        expect(starts).toContain(iso(schedule.next(after)));
        const next = schedule.next(after)!;
        expect(schedule.next(schedule.previous(next)!)).toEqual(next);
        expect(schedule.matches(next)).toBe(true);
      }
    },
  );

  it('takes one interval from period to period', () => {
    const found = parseSchedule('0 6,18 * * *', { timeZone: 'UTC', period: 'day' }).occurrences({
      after: at('2026-08-13T12:00:00Z'),
      limit: 2,
    });
    expect(found.map(({ interval }) => [iso(interval.start), iso(interval.end)])).toEqual([
      ['2026-08-13T06:00:00Z', '2026-08-14T06:00:00Z'],
      ['2026-08-14T06:00:00Z', '2026-08-15T06:00:00Z'],
    ]);
  });

  it('uses the first time that runs when a gap leaves out an earlier one, and the gap when it leaves out all', () => {
    const found = (expression: string): unknown[] =>
      parseSchedule(expression, { timeZone: 'America/New_York', period: 'day', dst: { gap: 'skip' } })
        .occurrences({ after: at('2026-03-08T05:00:00Z'), until: at('2026-03-09T03:59:59Z'), limit: 10 })
        .map(({ scheduledFor, period, skip }) => [iso(scheduledFor), period, skip]);
    expect(found('30 2,5 * * *')).toEqual([['2026-03-08T09:30:00Z', '2026-03-08', null]]);
    expect(found('20,30 2 * * *')).toEqual([['2026-03-08T07:00:00Z', '2026-03-08', 'dst-gap']]);
  });

  it('gives each date one occurrence where the clock shows midnight twice', () => {
    // Newfoundland went back from 00:01 to 23:01: the new date begins, the old one returns, the new one begins again
    const schedule = parseSchedule('* * * * *', { timeZone: 'America/St_Johns', period: 'day' });
    const found = schedule.occurrences({
      after: at('2006-10-28T00:00:00Z'),
      until: at('2006-10-31T00:00:00Z'),
      limit: 10,
    });
    expect(found.map(({ scheduledFor, period }) => [iso(scheduledFor), period])).toEqual([
      ['2006-10-28T02:30:00Z', '2006-10-28'],
      ['2006-10-29T02:30:00Z', '2006-10-29'],
      ['2006-10-30T03:30:00Z', '2006-10-30'],
    ]);
    expect(iso(schedule.previous(at('2006-10-29T03:00:00Z')))).toBe('2006-10-29T02:30:00Z');
    expect(iso(schedule.next(at('2006-10-29T02:30:00Z')))).toBe('2006-10-30T03:30:00Z');
  });

  it('counts periods', () => {
    const range = { after: at('2016-01-01T00:00:00Z'), until: at('2026-01-01T00:00:00Z') };
    expect(parseSchedule('* * * * *', { timeZone: 'UTC', period: 'day' }).count(range)).toBe(3_653);
    expect(parseSchedule('* * * * *', { timeZone: 'UTC', period: 'month' }).count(range)).toBe(120);
    expect(
      hourly((date) => date.toISOString().slice(0, 7)).count({ after: at('2025-01-01T00:00:00Z'), until: range.until }),
    ).toBe(12);
  });

  it('refuses to walk a period that never ends', () => {
    const schedule = parseSchedule('* * * * *', { timeZone: 'UTC', period: () => 'always' });
    const ask = (): unknown => schedule.next(at('2026-01-01T00:00:00Z'));
    expect(ask).toThrow(InvalidScheduleError);
    expect(ask).toThrow('gave "always" for more than 100000 occurrences in a row');
  });
});
