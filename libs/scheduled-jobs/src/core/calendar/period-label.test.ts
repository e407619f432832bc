import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidScheduleError } from '../errors.js';
import { parseSchedule } from './schedule.js';
import type { ScheduleDefinition } from './schedule-definition.js';

const labels = (
  expression: string,
  definition: ScheduleDefinition,
  range: { readonly after: string; readonly limit: number },
): string[] =>
  parseSchedule(expression, definition)
    .occurrences({ after: new Date(range.after), limit: range.limit })
    .map(({ period }) => period);

describe('labels: auto', () => {
  it('are the local date for exactly one named time of day', () => {
    const berlin = { timeZone: 'Europe/Berlin' };
    expect(labels('0 6 * * *', berlin, { after: '2026-08-13T12:00:00Z', limit: 2 })).toEqual([
      '2026-08-14',
      '2026-08-15',
    ]);
    expect(labels('30,30 0 6 * * *', berlin, { after: '2026-08-13T12:00:00Z', limit: 1 })).toEqual(['2026-08-14']);
    expect(labels('0 0 L * *', { timeZone: 'Asia/Shanghai' }, { after: '2026-08-13T12:00:00Z', limit: 1 })).toEqual([
      '2026-08-31',
    ]);
    expect(
      labels('30 2 * * *', { ...berlin, dst: { fold: 'last' } }, { after: '2026-10-24T12:00:00Z', limit: 1 }),
    ).toEqual(['2026-10-25']);
  });

  it('are local time and offset for several times of day, for wildcards, and when both passes run', () => {
    const newYork = { timeZone: 'America/New_York' };
    const range = { after: '2026-11-01T05:00:00Z', limit: 3 };
    expect(labels('0 6,18 * * *', newYork, range)).toEqual([
      '2026-11-01T06:00-05:00',
      '2026-11-01T18:00-05:00',
      '2026-11-02T06:00-05:00',
    ]);
    expect(labels('30 * * * *', newYork, range)).toEqual([
      '2026-11-01T01:30-04:00',
      '2026-11-01T01:30-05:00',
      '2026-11-01T02:30-05:00',
    ]);
    expect(labels('30 1 * * *', { ...newYork, dst: { fold: 'both' } }, range)).toEqual([
      '2026-11-01T01:30-04:00',
      '2026-11-01T01:30-05:00',
      '2026-11-02T01:30-05:00',
    ]);
  });

  it('show +00:00 for zero, half hours, and seconds only when the schedule has some', () => {
    const range = { after: '2026-02-01T00:00:00Z', limit: 1 };
    expect(labels('0 * * * *', { timeZone: 'UTC' }, range)).toEqual(['2026-02-01T01:00+00:00']);
    expect(labels('0 * * * *', { timeZone: 'Asia/Kolkata' }, range)).toEqual(['2026-02-01T06:00+05:30']);
    expect(labels('0 0 * * * *', { timeZone: 'UTC' }, range)).toEqual(['2026-02-01T01:00+00:00']);
    expect(labels('5 0 * * * *', { timeZone: 'UTC' }, range)).toEqual(['2026-02-01T00:00:05+00:00']);
    expect(labels('*/15 * * * * *', { timeZone: 'UTC' }, { ...range, limit: 4 })).toEqual([
      '2026-02-01T00:00:15+00:00',
      '2026-02-01T00:00:30+00:00',
      '2026-02-01T00:00:45+00:00',
      '2026-02-01T00:01:00+00:00',
    ]);
  });

  it('are the clock at the instant for a time that a gap moves, the missing time for one that it leaves out', () => {
    const range = { after: '2026-03-08T05:00:00Z', limit: 2 };
    const newYork = { timeZone: 'America/New_York' };
    expect(labels('30 2,12 * * *', newYork, range)).toEqual(['2026-03-08T03:00-04:00', '2026-03-08T12:30-04:00']);
    expect(labels('30 2,12 * * *', { ...newYork, dst: { gap: 'skip' } }, range)).toEqual([
      '2026-03-08T02:30-05:00',
      '2026-03-08T12:30-04:00',
    ]);
  });

  it('show the seconds of offsets before standard time', () => {
    expect(
      labels('0 12,13 * * *', { timeZone: 'America/New_York' }, { after: '1850-01-01T00:00:00Z', limit: 1 }),
    ).toEqual(['1850-01-01T12:00-04:56:02']);
    expect(
      labels('*/30 * * * *', { timeZone: 'Africa/Monrovia' }, { after: '1972-01-07T00:14:00Z', limit: 2 }),
    ).toEqual(['1972-01-06T23:30-00:44:30', '1972-01-07T01:00+00:00']);
  });

  it.each(['0 6 * * *', '0 * * * *', '*/5 * * * *', '30 2 * * *', '0,30 1,2 * * *'])(
    'are unique over the weeks of both changes: %s',
    (expression) => {
      for (const fold of ['first', 'last', 'both'] as const) {
        for (const gap of ['next-valid', 'skip'] as const) {
          const schedule = parseSchedule(expression, { timeZone: 'Europe/Berlin', dst: { fold, gap } });
          const found = ['2026-03-27', '2026-10-23'].flatMap((date) => {
            const after = new Date(`${date}T00:00:00Z`);
            return schedule.occurrences({ after, until: new Date(after.getTime() + 345_600_000), limit: 2_000 });
          });
          expect(new Set(found.map(({ period }) => period)).size).toBe(found.length);
        }
      }
    },
  );
});

describe('labels over a year', () => {
  const YEAR = { after: new Date('2026-01-01T12:00:00Z'), until: new Date('2027-01-01T12:00:00Z') };
  const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe'];

  it('are four in a minute for a schedule that fires every fifteen seconds', () => {
    const found = labels('*/15 * * * * *', { timeZone: 'UTC' }, { after: '2026-08-14T05:59:59Z', limit: 5 });
    expect(found).toEqual(
      ['06:00:00', '06:00:15', '06:00:30', '06:00:45', '06:01:00'].map((time) => `2026-08-14T${time}+00:00`),
    );
  });

  it.each([
    ['0 0 1 * *', 12],
    ['0 0 * * *', 365],
    ['0 * * * *', 8_760],
  ])('are unique: %s', (expression, count) => {
    for (const timeZone of ZONES) {
      const found = parseSchedule(expression, { timeZone }).occurrences({ ...YEAR, limit: 10_000 });
      // A gap of half an hour takes one full hour away, and its fold gives none back.
      expect([count - 1, count]).toContain(found.length);
      expect(new Set(found.map(({ period }) => period)).size).toBe(found.length);
    }
  });

  it.each([
    ['* * * * *', 60_000],
    ['* * * * * *', 1_000],
  ])('lead back to their instants, so that no two are the same: %s', (expression, stepMs) => {
    const schedules = ZONES.map((timeZone) => parseSchedule(expression, { timeZone }));
    const step = fc.integer({ min: YEAR.after.getTime() / stepMs, max: YEAR.until.getTime() / stepMs });
    const property = fc.property(step, fc.constantFrom(...schedules), (stepNo, schedule) => {
      const instant = Math.floor(stepNo) * stepMs;
      const found = schedule.occurrences({ after: new Date(instant - 1), limit: 1 });
      expect(found.map(({ scheduledFor }) => scheduledFor.getTime())).toEqual([instant]);
      expect(found.map(({ period }) => Date.parse(period))).toEqual([instant]);
    });
    fc.assert(property, { seed: 20_260_814, numRuns: 2_000 });
  });
});

describe('labels: explicit forms', () => {
  const range = { after: '2026-12-27T12:00:00Z', limit: 2 };

  it.each([
    ['day', ['2026-12-28', '2026-12-29']],
    ['week', ['2026-W53', '2027-W01']],
    ['month', ['2027-01', '2027-02']],
    ['year', ['2027', '2028']],
  ] as const)('%s', (period, expected) => {
    expect(labels('0 0,6 * * *', { timeZone: 'UTC', period }, range)).toEqual(expected);
  });

  it('number ISO weeks by their Thursday', () => {
    const week = (date: string): string[] =>
      labels('0 12 * * *', { timeZone: 'UTC', period: 'week' }, { after: `${date}T00:00:00Z`, limit: 1 });
    expect(week('2026-08-10')).toEqual(['2026-W33']);
    expect(week('2025-12-29')).toEqual(['2026-W01']);
    expect(week('2020-12-28')).toEqual(['2020-W53']);
    expect(week('2023-12-31')).toEqual(['2024-W01']);
  });

  it('take the date that a time was named for, also when a gap moves it past midnight', () => {
    const definition = { timeZone: 'America/Toronto', period: 'day' } as const;
    expect(labels('45 23 * * *', definition, { after: '1919-03-30T12:00:00Z', limit: 2 })).toEqual([
      '1919-03-30',
      '1919-03-31',
    ]);
  });

  it('come from a function of the occurrence and the zone', () => {
    const period = (occurrence: Date, timeZone: string): string =>
      `${timeZone.split('/')[1]}.${occurrence.toISOString().slice(0, 13)}`;
    expect(labels('0 6 * * *', { timeZone: 'Europe/Berlin', period }, range)).toEqual([
      'Berlin.2026-12-28T05',
      'Berlin.2026-12-29T05',
    ]);
  });

  it.each([
    ['', '""'],
    ['a b', '"a b"'],
    ['x'.repeat(101), `"${'x'.repeat(60)}…"`],
    ['ü', '"ü"'],
    ['manual:daily', '"manual:daily"'],
    ['id:7', '"id:7"'],
    [() => Promise.reject(new Error('nobody waits for it')), 'an object'],
    [undefined, 'undefined'],
    [7, '7'],
    [{}, 'an object'],
  ])('refuse %j from a function', (label, text) => {
    const period = () => (typeof label === 'function' ? label() : label) as string;
    const schedule = parseSchedule('0 6 * * *', { timeZone: 'UTC', period });
    const ask = (): unknown => schedule.occurrences({ after: new Date(range.after), limit: 1 });
    expect(ask).toThrow(InvalidScheduleError);
    expect(ask).toThrow(`the period function gave ${text} for`);
  });

  it('take every allowed character, up to 100', () => {
    const label = `Az09._:+-${'x'.repeat(91)}`;
    let turn = 0;
    const period = (date: Date): string => `${label.slice(0, -1)}${(turn = date.getUTCDate() % 10)}`;
    expect(labels('0 6 * * *', { timeZone: 'UTC', period }, { ...range, limit: 1 })).toEqual([
      `${label.slice(0, -1)}${turn}`,
    ]);
  });
});

describe('labels: periodOf previous', () => {
  it('name the bill of the 14th that is made at 00:00 on the 15th', () => {
    const definition = { timeZone: 'Asia/Shanghai', periodOf: 'previous' } as const;
    const found = parseSchedule('0 0 * * *', definition).occurrences({
      after: new Date('2026-08-14T12:00:00Z'),
      limit: 1,
    });
    expect(found).toMatchObject([{ period: '2026-08-14', scheduledFor: new Date('2026-08-14T16:00:00Z') }]);
  });

  it('name the last month, the last hour, and the last working day', () => {
    const after = '2026-07-31T12:00:00Z';
    const previous = { timeZone: 'UTC', periodOf: 'previous' } as const;
    expect(labels('0 0 1 * *', { ...previous, period: 'month' }, { after, limit: 1 })).toEqual(['2026-07']);
    expect(labels('0 * * * *', previous, { after, limit: 1 })).toEqual(['2026-07-31T12:00+00:00']);
    expect(labels('0 6 * * 1-5', previous, { after, limit: 1 })).toEqual(['2026-07-31']);
    expect(labels('0 0,6 * * *', { ...previous, period: 'day' }, { after, limit: 2 })).toEqual([
      '2026-07-31',
      '2026-08-01',
    ]);
  });
});
