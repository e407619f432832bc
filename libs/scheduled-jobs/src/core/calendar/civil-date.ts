/** Seconds of a day on the wall clock, which knows no leap seconds and no changes of offset. */
export const DAY_SECONDS = 86_400;

/** A date of the Gregorian calendar, also before its introduction; `month` 1–12, `day` 1–31. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;
const MEAN_YEAR_DAYS = 365.2425;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysBeforeMonth = (year: number, month: number): number =>
  (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (month > 2 && isLeap(year) ? 1 : 0);

function daysBeforeYear(year: number): number {
  const past = year - 1;
  return 365 * (year - 1970) + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - 477;
}

/** The number of days of a month, 28–31. */
export const daysInMonth = (year: number, month: number): number =>
  daysBeforeMonth(year, month + 1) - daysBeforeMonth(year, month);

/** The day's number, counted from 1970-01-01 = 0. */
export const dayNumber = (year: number, month: number, day: number): number =>
  daysBeforeYear(year) + daysBeforeMonth(year, month) + day - 1;

/** The date of a day's number. */
export function civilDate(dayNumber: number): CivilDate {
  let year = 1970 + Math.floor(dayNumber / MEAN_YEAR_DAYS);
  if (dayNumber < daysBeforeYear(year)) year -= 1;
  else if (dayNumber >= daysBeforeYear(year + 1)) year += 1;
  const dayOfYear = dayNumber - daysBeforeYear(year);
  let month = Math.min(12, Math.floor(dayOfYear / 29) + 1);
  while (dayOfYear < daysBeforeMonth(year, month)) month -= 1;
  return { year, month, day: dayOfYear - daysBeforeMonth(year, month) + 1 };
}

/** The weekday of a day's number, Sunday = 0. */
export const weekday = (dayNumber: number): number => (((dayNumber + 4) % 7) + 7) % 7;

/** The number of the day that a second of the wall clock lies on. */
export const dayOf = (wallSecond: number): number => Math.floor(wallSecond / DAY_SECONDS);
