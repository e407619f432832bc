import { MONTHS } from '../../time/instant-text.js';
import { DAY_MS } from '../../time/spans.js';

const DAYS_OF_WEEK = 7;

/** Where a day stands in the calendar of its year: a week is a column, Monday its first row. */
export interface YearDay {
  readonly date: string;
  readonly week: number;
  readonly weekday: number;
}

/** All days of a year. */
export function yearDays(year: number): readonly YearDay[] {
  const first = Date.UTC(year, 0, 1);
  const count = (Date.UTC(year + 1, 0, 1) - first) / DAY_MS;
  const before = mondayBased(new Date(first).getUTCDay());
  return Array.from({ length: count }, (_, index) => ({
    date: new Date(first + index * DAY_MS).toISOString().slice(0, 10),
    week: Math.floor((before + index) / DAYS_OF_WEEK),
    weekday: (before + index) % DAYS_OF_WEEK,
  }));
}

/** The name of each month over the first week that begins in it; January's over the first. */
export function monthHeads(days: readonly YearDay[]): readonly { readonly text: string; readonly week: number }[] {
  return MONTHS.map((text, index) => {
    const month = String(index + 1).padStart(2, '0');
    const first = days.find(({ date, weekday }) => date.slice(5, 7) === month && (index === 0 || weekday === 0));
    return { text, week: first?.week ?? 0 };
  });
}

/** The stretch in which all periods that are days of a year are scheduled, in whatever zone, as instants. */
export const yearWindow = (year: number): { readonly from: string; readonly to: string } => ({
  from: new Date(Date.UTC(year, 0, 1) - DAY_MS).toISOString(),
  to: new Date(Date.UTC(year + 1, 0, 1) + DAY_MS).toISOString(),
});

const mondayBased = (day: number): number => (day + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
