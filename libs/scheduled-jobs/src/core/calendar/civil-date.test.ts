import { describe, expect, it } from 'vitest';
import { civilDate, dayNumber, daysInMonth, weekday } from './civil-date.js';

const DAY_MS = 86_400_000;

describe('civil dates', () => {
  it('agree with the platform for every day of four centuries and for the ends of the range', () => {
    const first = Date.UTC(1800, 0, 1) / DAY_MS;
    const days = [...Array.from({ length: 146_097 }, (_, index) => first + index), -719_162, 2_932_896];
    const wrong = days.filter((number) => {
      const platform = new Date(number * DAY_MS);
      const { year, month, day } = civilDate(number);
      return (
        year !== platform.getUTCFullYear() ||
        month !== platform.getUTCMonth() + 1 ||
        day !== platform.getUTCDate() ||
        weekday(number) !== platform.getUTCDay() ||
        dayNumber(year, month, day) !== number
      );
    });
    expect(wrong).toEqual([]);
  });

  it('know the leap years', () => {
    expect([2023, 2024, 1900, 2000].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29]);
    expect([4, 6, 9, 11].map((month) => daysInMonth(2026, month))).toEqual([30, 30, 30, 30]);
    expect([1, 3, 5, 7, 8, 10, 12].map((month) => daysInMonth(2026, month))).toEqual([31, 31, 31, 31, 31, 31, 31]);
  });
});
