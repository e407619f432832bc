import { describe, expect, it } from 'vitest';
import { parseSchedule, type Schedule } from './schedule.js';

const iso = (date: Date | null | undefined): string => date?.toISOString().replace('.000Z', 'Z') ?? 'none';
const at = (text: string): Date => new Date(text);

function instants(schedule: Schedule, after: string, limit: number): string[] {
  return schedule.occurrences({ after: at(after), limit }).map(({ scheduledFor }) => iso(scheduledFor));
}

describe('Schedule: days with a clock change', () => {
  it('runs every minute of a day once at each real instant, whatever the clock does', () => {
    const schedule = parseSchedule('* * * * *', { timeZone: 'America/Los_Angeles' });
    const range = { after: at('2025-11-02T08:00:00Z'), until: at('2025-11-02T10:00:00Z') };
    expect(schedule.occurrences({ ...range, limit: 1_000 })).toHaveLength(120);
    expect(new Set(schedule.occurrences({ ...range, limit: 1_000 }).map(({ period }) => period)).size).toBe(120);
  });

  it('leaves 23 and 25 hours between daily runs around a change', () => {
    const schedule = parseSchedule('0 1 * * *', { timeZone: 'America/Denver' });
    const hours = (after: string): number => {
      const first = schedule.next(at(after))!;
      return (schedule.next(first)!.getTime() - first.getTime()) / 3_600_000;
    };
    expect([hours('2024-03-10T07:00:00Z'), hours('2024-11-02T12:00:00Z')]).toEqual([23, 25]);
  });

  it('has no occurrence on a date that a zone leaves out', () => {
    for (const expression of ['0 12 * * *', '0 0 * * *', '*/5 * * * *']) {
      for (const gap of ['next-valid', 'skip'] as const) {
        const schedule = parseSchedule(expression, { timeZone: 'Pacific/Apia', dst: { gap } });
        const labels = schedule
          .occurrences({ after: at('2011-12-28T00:00:00Z'), limit: 2_000 })
          .map(({ period }) => period);
        expect(labels.filter((label) => label.startsWith('2011-12-30'))).toEqual([]);
        expect(labels.some((label) => label.startsWith('2011-12-29'))).toBe(true);
        expect(labels.some((label) => label.startsWith('2011-12-31'))).toBe(true);
      }
    }
    expect(instants(parseSchedule('0 12 * * *', { timeZone: 'Pacific/Apia' }), '2011-12-29T00:00:00Z', 3)).toEqual([
      '2011-12-29T22:00:00Z',
      '2011-12-30T22:00:00Z',
      '2011-12-31T22:00:00Z',
    ]);
  });

  it('runs once on a date that a zone lives twice', () => {
    // Samoa crossed the date line on 4 July 1892 and had that day again
    const schedule = parseSchedule('0 12 * * *', { timeZone: 'Pacific/Apia' });
    const labels = schedule.occurrences({ after: at('1892-07-03T00:00:00Z'), limit: 3 }).map(({ period }) => period);
    expect(labels).toEqual(['1892-07-04', '1892-07-05', '1892-07-06']);
    expect(
      parseSchedule('0 * * * *', { timeZone: 'Pacific/Apia', period: 'day' }).count({
        after: at('1892-07-01'),
        until: at('1892-07-11'),
      }),
    ).toBe(9);
  });

  it('runs a named time of a fold in the pass that the policy names', () => {
    const passes = (fold: 'first' | 'last' | 'both'): string[] =>
      instants(parseSchedule('30 1 * * *', { timeZone: 'America/New_York', dst: { fold } }), '2026-11-01T04:00:00Z', 3);
    expect(passes('first')).toEqual(['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z', '2026-11-03T06:30:00Z']);
    expect(passes('last')).toEqual(['2026-11-01T06:30:00Z', '2026-11-02T06:30:00Z', '2026-11-03T06:30:00Z']);
    expect(passes('both')).toEqual(['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-02T06:30:00Z']);
  });

  it('records a named time of a gap as left out under the policy skip', () => {
    const schedule = parseSchedule('30 2 * * *', { timeZone: 'America/New_York', dst: { gap: 'skip' } });
    const found = schedule.occurrences({ after: at('2026-03-07T12:00:00Z'), limit: 2 });
    expect(found.map(({ scheduledFor, period, skip }) => [iso(scheduledFor), period, skip])).toEqual([
      ['2026-03-08T07:00:00Z', '2026-03-08', 'dst-gap'],
      ['2026-03-09T06:30:00Z', '2026-03-09', null],
    ]);
    expect(schedule.count({ after: at('2026-03-07T12:00:00Z'), until: at('2026-03-09T06:30:00Z') })).toBe(2);
  });

  it('makes times that meet at the end of a gap one occurrence, and prefers one that really exists there', () => {
    const found = (gap: 'next-valid' | 'skip'): unknown[] =>
      parseSchedule('0,30 2,3 * * *', { timeZone: 'America/New_York', dst: { gap } })
        .occurrences({ after: at('2026-03-08T00:00:00Z'), until: at('2026-03-08T12:00:00Z'), limit: 10 })
        .map(({ scheduledFor, period, skip }) => [iso(scheduledFor), period, skip]);
    const both = [
      ['2026-03-08T07:00:00Z', '2026-03-08T03:00-04:00', null],
      ['2026-03-08T07:30:00Z', '2026-03-08T03:30-04:00', null],
    ];
    expect(found('next-valid')).toEqual(both);
    expect(found('skip')).toEqual(both);
  });

  it('keeps the date of a time that a gap moves past midnight', () => {
    // Toronto, 30 March 1919: 23:30 was followed by 00:30
    const schedule = parseSchedule('45 23 * * *', { timeZone: 'America/Toronto' });
    const found = schedule.occurrences({ after: at('1919-03-30T12:00:00Z'), limit: 2 });
    expect(found.map(({ scheduledFor, period }) => [iso(scheduledFor), period])).toEqual([
      ['1919-03-31T04:30:00Z', '1919-03-30'],
      ['1919-04-01T03:45:00Z', '1919-03-31'],
    ]);
  });

  it('counts across changes as it lists', () => {
    for (const timeZone of [
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Africa/Casablanca',
      'Pacific/Apia',
    ]) {
      for (const expression of ['*/30 * * * *', '15,45 0-3,23 * * *', '10 2 * * *']) {
        for (const dst of [{}, { gap: 'skip' }, { fold: 'last' }, { fold: 'both' }] as const) {
          const schedule = parseSchedule(expression, { timeZone, dst });
          const range = { after: at('2011-03-01T00:00:00Z'), until: at('2011-04-10T00:00:00Z') };
          expect(schedule.count(range)).toBe(schedule.occurrences({ ...range, limit: 10_000 }).length);
        }
      }
    }
  });

  it('ends the search for times that every change leaves out, and warns of them', () => {
    const everyTenMinutes = (expression: string, timeZone = 'Europe/Berlin'): Schedule =>
      parseSchedule(expression, { timeZone });
    const never = everyTenMinutes('*/10 2 * 3 SUNL');
    const started = process.cpuUsage();
    expect(never.next(at('2026-01-01'))).toBeNull();
    expect(never.next(at('9000-01-01'))).toBeNull();
    expect(iso(never.previous(at('2026-01-01')))).toBe('1980-03-30T01:50:00Z');
    expect(never.previous(at('9000-01-01'))).toEqual(never.previous(at('2026-01-01')));
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
    expect(never.warnings).toEqual([expect.stringContaining('"*/10 2 * 3 SUNL" never fires: each of its times')]);
    for (const schedule of [
      everyTenMinutes('*/10 2 * 3 SUNL', 'America/New_York'),
      everyTenMinutes('*/10 2 * 3-4 SUNL'),
      everyTenMinutes('0,30 2 * 3 SUNL'),
    ]) {
      expect(schedule.warnings).toEqual([]);
      expect(schedule.next(at('2026-01-01'))).not.toBeNull();
    }
  });

  it('goes on to the next date when it is asked at the end of the gap that moved a time', () => {
    for (const [expression, timeZone, gapEnd, next] of [
      ['1 2 * * 0', 'America/Chicago', '2024-03-10T08:00:00Z', '2024-03-17T07:01:00Z'],
      ['0 2 * * 0', 'Europe/Berlin', '2021-03-28T01:00:00Z', '2021-04-04T00:00:00Z'],
      ['0 10 2 * * *', 'Europe/Berlin', '2021-03-28T01:00:00Z', '2021-03-29T00:10:00Z'],
      ['0 0 * * *', 'America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
    ] as const) {
      const schedule = parseSchedule(expression, { timeZone });
      expect(iso(schedule.next(new Date(at(gapEnd).getTime() - 1)))).toBe(gapEnd);
      expect(iso(schedule.next(at(gapEnd)))).toBe(next);
      expect(iso(schedule.previous(at(next)))).toBe(gapEnd);
      const day = {
        after: new Date(at(gapEnd).getTime() - 12 * 3_600_000),
        until: new Date(at(gapEnd).getTime() + 3_600_000),
      };
      expect(schedule.count(day)).toBe(1);
    }
  });

  it('gives both passes of a fold labels of their own', () => {
    const labels = parseSchedule('*/15 2 * * *', { timeZone: 'Europe/Berlin' })
      .occurrences({ after: at('2025-10-25T12:00:00Z'), until: at('2025-10-26T12:00:00Z'), limit: 20 })
      .map(({ period }) => period);
    expect(labels).toHaveLength(8);
    expect(new Set(labels).size).toBe(8);
    expect([labels[0], labels[4]]).toEqual(['2025-10-26T02:00+02:00', '2025-10-26T02:00+01:00']);
  });
});
