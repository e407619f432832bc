import { civilDate, dayNumber } from './civil-date.js';
import type { PeriodUnit } from './schedule-definition.js';

/** A division of the calendar into numbered stretches of whole days. */
export interface PeriodDivision {
  /** The number of the stretch that a day lies in. */
  readonly numberOf: (day: number) => number;
  /** The first day of a stretch. */
  readonly firstDay: (number: number) => number;
  /** The label of the stretch that a day lies in. */
  readonly label: (day: number) => string;
}

const MONDAY_OFFSET = 3;

const padded = (value: number, width = 2): string => String(value).padStart(width, '0');

/** `YYYY-MM-DD` of a day's number. */
export function dateLabel(dayNumber: number): string {
  const { year, month, day } = civilDate(dayNumber);
  return `${padded(year, 4)}-${padded(month)}-${padded(day)}`;
}

/** ISO weeks begin on Monday and belong to the year of their Thursday. */
function weekLabel(day: number): string {
  const thursday = PERIOD_DIVISIONS.week.firstDay(PERIOD_DIVISIONS.week.numberOf(day)) + 3;
  const { year } = civilDate(thursday);
  return `${padded(year, 4)}-W${padded(Math.floor((thursday - dayNumber(year, 1, 1)) / 7) + 1)}`;
}

export const PERIOD_DIVISIONS: Readonly<Record<PeriodUnit, PeriodDivision>> = {
  day: { numberOf: (day) => day, firstDay: (number) => number, label: dateLabel },
  week: {
    numberOf: (day) => Math.floor((day + MONDAY_OFFSET) / 7),
    firstDay: (number) => number * 7 - MONDAY_OFFSET,
    label: weekLabel,
  },
  month: {
    numberOf: (day) => monthNumber(day),
    firstDay: (number) => dayNumber(Math.floor(number / 12), (number % 12) + 1, 1),
    label: (day) => dateLabel(day).slice(0, 7),
  },
  year: {
    numberOf: (day) => civilDate(day).year,
    firstDay: (number) => dayNumber(number, 1, 1),
    label: (day) => dateLabel(day).slice(0, 4),
  },
};

function monthNumber(day: number): number {
  const { year, month } = civilDate(day);
  return year * 12 + month - 1;
}
