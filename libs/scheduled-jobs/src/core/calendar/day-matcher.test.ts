import { describe, expect, it } from 'vitest';
import { readCronExpression } from './cron-expression.js';
import { civilDate, dayNumber, daysInMonth, weekday } from './civil-date.js';
import { DayMatcher } from './day-matcher.js';
import { dateLabel } from './period-unit.js';

const matcher = (days: string): DayMatcher => new DayMatcher(readCronExpression(`0 0 ${days}`, [])!.days);

function datesIn(days: string, from: string, until: string): string[] {
  const [first, last] = [from, until].map((date) => Date.parse(date) / 86_400_000) as [number, number];
  const found: string[] = [];
  for (let day = matcher(days).firstIn(first, last); day !== null; day = matcher(days).firstIn(day + 1, last)) {
    found.push(dateLabel(day));
  }
  return found;
}

describe('DayMatcher', () => {
  it.each([
    ['L * *', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']],
    ['LW * *', ['2026-01-30', '2026-02-27', '2026-03-31', '2026-04-30']],
    // 1 February and 1 March 2026 are Sundays: the nearest workday stays in the month
    ['1W * *', ['2026-01-01', '2026-02-02', '2026-03-02', '2026-04-01']],
    ['15W * *', ['2026-01-15', '2026-02-16', '2026-03-16', '2026-04-15']],
    ['31W * *', ['2026-01-30', '2026-03-31']],
    ['* * 5L', ['2026-01-30', '2026-02-27', '2026-03-27', '2026-04-24']],
    ['* * FRIL', ['2026-01-30', '2026-02-27', '2026-03-27', '2026-04-24']],
    ['* * 1#2', ['2026-01-12', '2026-02-09', '2026-03-09', '2026-04-13']],
    ['* * 5#5', ['2026-01-30']],
    ['* * 7#1', ['2026-01-04', '2026-02-01', '2026-03-01', '2026-04-05']],
    ['31 * *', ['2026-01-31', '2026-03-31']],
    [
      '1 * 5L',
      ['2026-01-01', '2026-01-30', '2026-02-01', '2026-02-27', '2026-03-01', '2026-03-27', '2026-04-01', '2026-04-24'],
    ],
    ['L 2 ?', ['2026-02-28']],
  ])('chooses the days of %s', (days, expected) => {
    expect(datesIn(days, '2026-01-01', '2026-04-30')).toEqual(expected);
  });

  it('keeps 1W and 31W inside a month that begins or ends on a weekend', () => {
    expect(datesIn('1W 8 *', '2026-08-01', '2026-08-31')).toEqual(['2026-08-03']);
    expect(datesIn('31W 5 *', '2026-05-01', '2026-06-30')).toEqual(['2026-05-29']);
    expect(datesIn('LW 2 *', '2032-02-01', '2032-02-29')).toEqual(['2032-02-27']);
  });

  it('finds rare days: a fifth Sunday in February, a leap day', () => {
    expect(datesIn('* 2 0#5', '2020-01-01', '2060-12-31')).toEqual(['2032-02-29', '2060-02-29']);
    expect(datesIn('29 2 *', '2096-03-01', '2108-12-31')).toEqual(['2104-02-29', '2108-02-29']);
  });

  it.each(['* * *', 'L,15W * *', '*/2 1,6 1', '* 2,11 5L,1#3', '31 * *', '29 2 *'])(
    'finds, counts and tests the same days forward and backward: %s',
    (days) => {
      const days1 = matcher(days);
      const first = dayNumber(2023, 12, 20);
      const last = dayNumber(2028, 3, 10);
      const chosen = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((day) =>
        days1.has(day),
      );
      const backward: number[] = [];
      for (let day = days1.lastIn(first, last); day !== null; day = days1.lastIn(first, day - 1)) backward.unshift(day);
      const forward: number[] = [];
      for (let day = days1.firstIn(first, last); day !== null; day = days1.firstIn(day + 1, last)) forward.push(day);
      expect(forward).toEqual(chosen);
      expect(backward).toEqual(chosen);
      expect(days1.countIn(first, last + 1)).toBe(chosen.length);
      expect(days1.countIn(first + 7, first + 7)).toBe(0);
    },
  );

  it('puts every last workday on the last Monday-to-Friday day of its month', () => {
    for (let year = 2000; year < 2028; year++) {
      for (let month = 1; month <= 12; month++) {
        const first = dayNumber(year, month, 1);
        const last = first + daysInMonth(year, month) - 1;
        const workdays = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
          (day) => weekday(day) % 6 !== 0,
        );
        expect(civilDate(matcher('LW * *').firstIn(first, last)!)).toEqual(civilDate(workdays.at(-1)!));
      }
    }
  });
});
