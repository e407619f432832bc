import { describe, expect, it } from 'vitest';
import { InvalidScheduleError } from '../errors.js';
import { parseSchedule, type Schedule } from './schedule.js';
import type { ScheduleDefinition } from './schedule-definition.js';

const iso = (date: Date | null | undefined): string => date?.toISOString().replace('.000Z', 'Z') ?? 'none';
const at = (text: string): Date => new Date(text);

/** Processor time of this process in milliseconds: a busy machine does not change it much. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function problemsOf(parse: () => unknown): readonly string[] {
  let refused: unknown;
  try {
    parse();
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(InvalidScheduleError);
  return (refused as InvalidScheduleError).problems;
}

describe('Schedule: exclude', () => {
  it('marks what it excludes and keeps it in order and in the count', () => {
    const schedule = parseSchedule('0 6 * * *', {
      timeZone: 'Europe/Berlin',
      exclude: ({ period, scheduledFor }) => period === '2026-12-25' && scheduledFor.getUTCHours() === 5,
    });
    const range = { after: at('2026-12-24T00:00:00Z'), until: at('2026-12-27T00:00:00Z') };
    expect(schedule.occurrences({ ...range, limit: 10 }).map(({ skip }) => skip)).toEqual([null, 'excluded', null]);
    expect(schedule.count(range)).toBe(3);
  });

  it('lets errors through and refuses an answer that is no boolean', () => {
    const define = (exclude: unknown): Schedule =>
      parseSchedule('0 6 * * *', { timeZone: 'UTC', exclude: exclude as () => boolean });
    const ask = (exclude: unknown) => (): unknown => define(exclude).occurrences({ after: at('2026-01-01'), limit: 1 });
    expect(
      ask(() => {
        throw new TypeError('no calendar');
      }),
    ).toThrow(new TypeError('no calendar'));
    for (const late of [Promise.resolve(true), Promise.reject(new Error('nobody waits for it'))]) {
      expect(problemsOf(ask(() => late))).toEqual([expect.stringContaining('Return true or false, and not a promise')]);
    }
  });
});

describe('Schedule: refusals', () => {
  it('reports all problems of the expression and the definition at once', () => {
    const definition = {
      timeZone: 'UTC+8',
      period: 'hour',
      periodOf: 'next',
      dst: { gap: 'shift', fold: 'none', overlap: 1 },
      exclude: 'holidays',
      tz: 'UTC',
    } as unknown as ScheduleDefinition;
    expect(problemsOf(() => parseSchedule('60 * * * 9', definition))).toEqual([
      expect.stringContaining('minute field "60"'),
      expect.stringContaining('day-of-week field "9"'),
      expect.stringContaining('tz is not an option'),
      expect.stringContaining('time zone "UTC+8" is an offset'),
      expect.stringContaining('dst.overlap is not an option'),
      expect.stringContaining('period must be one of "auto", "day", "week", "month", "year", got "hour"'),
      expect.stringContaining('periodOf must be one of'),
      expect.stringContaining('dst.gap must be one of'),
      expect.stringContaining('dst.fold must be one of'),
      expect.stringContaining('exclude must be a function'),
    ]);
  });

  it('has a message for a definition that is missing', () => {
    expect(problemsOf(() => parseSchedule('0 6 * * *', undefined as unknown as ScheduleDefinition))).toEqual([
      expect.stringContaining('a time zone is required'),
    ]);
    expect(problemsOf(() => parseSchedule('0 6 * * *', 'UTC' as unknown as ScheduleDefinition))).toHaveLength(2);
  });

  it('refuses dates that are none, and limits out of range', () => {
    const schedule = parseSchedule('0 6 * * *', { timeZone: 'UTC' });
    const never = new Date(Number.NaN);
    const now = at('2026-01-01T00:00:00Z');
    expect(() => schedule.next(never)).toThrow(
      new RangeError('after must be a valid Date, got Invalid Date. Check how it is made.'),
    );
    expect(() => schedule.next('2026-01-01' as unknown as Date)).toThrow(RangeError);
    expect(() => schedule.previous(never)).toThrow(RangeError);
    expect(() => schedule.matches(never)).toThrow(RangeError);
    expect(() => schedule.count({ after: now, until: never })).toThrow(RangeError);
    expect(() => schedule.count({ after: at('0500-01-01'), until: now })).toThrow('at most 1,000 years');
    expect(() => schedule.occurrences({ after: now, until: never, limit: 1 })).toThrow(RangeError);
    for (const limit of [0, -1, 1.5, 10_001, Number.NaN, Number.POSITIVE_INFINITY, undefined]) {
      expect(() => schedule.occurrences({ after: now, limit: limit as number })).toThrow(
        'limit must be a whole number from 1 to 10000',
      );
    }
  });
});

describe('Schedule: contract', () => {
  it.each(['30 2 * * *', '*/15 * * * * *', '0 0 29 2 *', '0 0 * 2 0#5', '* * * * *'])(
    'answers for bases at the ends of time: %s',
    (expression) => {
      for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
        const schedule = parseSchedule(expression, { timeZone });
        const bases = [-8.64e15, 8.64e15, Date.parse('9999-12-31T00:00:00Z'), Date.parse('1900-01-01T00:00:00Z'), 0];
        for (const base of bases) {
          const started = cpuMs();
          const [next, previous] = [schedule.next(new Date(base)), schedule.previous(new Date(base))];
          expect(cpuMs() - started).toBeLessThan(100);
          expect(next?.getTime() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(base);
          expect(previous?.getTime() ?? Number.NEGATIVE_INFINITY).toBeLessThan(base);
        }
        expect(schedule.next(new Date(8.64e15))).toBeNull();
        expect(schedule.previous(new Date(-8.64e15))).toBeNull();
      }
    },
  );

  it('answers in whole seconds for a base between them', () => {
    const schedule = parseSchedule('* * * * * *', { timeZone: 'UTC' });
    expect(schedule.next(at('2026-01-01T16:14:09.001Z'))!.toISOString()).toBe('2026-01-01T16:14:10.000Z');
    expect(schedule.next(at('1969-12-31T23:59:58.999Z'))!.toISOString()).toBe('1969-12-31T23:59:59.000Z');
    expect(schedule.previous(at('2026-01-01T16:14:09.001Z'))!.toISOString()).toBe('2026-01-01T16:14:09.000Z');
    const range = { after: at('2026-01-01T00:00:00.500Z'), until: at('2026-01-01T00:00:03.999Z') };
    expect(schedule.count(range)).toBe(3);
    expect(schedule.occurrences({ ...range, limit: 10 })).toHaveLength(3);
  });

  it('fires sixty times in five minutes when the second is a star, and once when it is 0', () => {
    const range = { after: at('2026-01-01T00:04:59Z'), until: at('2026-01-01T00:09:59Z') };
    const count = (expression: string): number => parseSchedule(expression, { timeZone: 'UTC' }).count(range);
    expect([count('* */5 * * * *'), count('0 */5 * * * *')]).toEqual([60, 1]);
  });

  it('takes `after` as exclusive and `until` as inclusive', () => {
    const schedule = parseSchedule('0 * * * *', { timeZone: 'UTC' });
    const range = { after: at('2026-01-01T10:00:00Z'), until: at('2026-01-01T12:00:00Z') };
    expect(schedule.occurrences({ ...range, limit: 10 }).map(({ scheduledFor }) => iso(scheduledFor))).toEqual([
      '2026-01-01T11:00:00Z',
      '2026-01-01T12:00:00Z',
    ]);
    expect(schedule.count(range)).toBe(2);
    expect(schedule.count({ after: range.until, until: range.after })).toBe(0);
    expect(iso(schedule.next(at('2026-01-01T10:17:00Z')))).toBe('2026-01-01T11:00:00Z');
  });

  it('gives intervals that touch', () => {
    for (const expression of ['30 2 * * *', '*/30 * * * *', '0 0 L * *']) {
      const found = parseSchedule(expression, { timeZone: 'America/New_York' }).occurrences({
        after: at('2026-03-07T12:00:00Z'),
        limit: 20,
      });
      const instantsOfRuns = found.map(({ scheduledFor }) => scheduledFor);
      expect(found.map(({ interval }) => interval.end)).toEqual(instantsOfRuns);
      expect(found.slice(1).map(({ interval }) => interval.start)).toEqual(instantsOfRuns.slice(0, -1));
    }
    const [daily] = parseSchedule('0 0 * * *', { timeZone: 'Asia/Shanghai' }).occurrences({
      after: at('2026-08-14T12:00:00Z'),
      limit: 1,
    });
    expect(daily).toMatchObject({ interval: { start: at('2026-08-13T16:00:00Z'), end: at('2026-08-14T16:00:00Z') } });
  });

  it('says what it read', () => {
    const schedule = parseSchedule('* */5 * * * *', { timeZone: 'asia/kolkata' });
    expect(schedule).toMatchObject({ expression: '* */5 * * * *', timeZone: 'asia/kolkata', namesItsTimes: false });
    expect(schedule.warnings).toHaveLength(1);
    expect(parseSchedule('0 6 * * *', { timeZone: 'UTC' })).toMatchObject({ namesItsTimes: true, warnings: [] });
    expect(schedule.resolvedTimeZone).toBe(parseSchedule('0 6 * * *', { timeZone: 'Asia/Calcutta' }).resolvedTimeZone);
  });

  it('counts ten years of minutes by whole days', () => {
    const range = { after: at('2016-01-01T00:00:00Z'), until: at('2026-01-01T00:00:00Z') };
    const started = cpuMs();
    for (const timeZone of ['UTC', 'Europe/Berlin', 'America/New_York']) {
      expect(parseSchedule('* * * * *', { timeZone }).count(range)).toBe(3_653 * 1_440);
      expect(parseSchedule('* * * * * *', { timeZone }).count(range)).toBe(3_653 * 86_400);
    }
    expect(cpuMs() - started).toBeLessThan(500);
  });

  it('answers 10,000 questions in 20 zones within seconds, nearly all within 5 ms', () => {
    const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 20 === 7);
    const schedules = zones.slice(0, 20).map((timeZone) => parseSchedule('30 2 * * *', { timeZone }));
    const durations = Array.from({ length: 10_000 }, (_, index) => {
      const after = new Date(Date.UTC(2000, 0, 1) + ((index * 7_919) % 14_000) * 86_400_000);
      const started = cpuMs();
      schedules.at(index % 20)!.next(after);
      return cpuMs() - started;
    }).toSorted((a, b) => a - b);
    expect(durations[9_900]).toBeLessThan(5);
    expect(durations.reduce((sum, duration) => sum + duration, 0)).toBeLessThan(5_000);
  });
});
