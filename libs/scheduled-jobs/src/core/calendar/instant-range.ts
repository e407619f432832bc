import { DAY_SECONDS, dayNumber } from './civil-date.js';

/**
 * The instants that calendars answer for, in seconds since 1970: years 1 to 9999, a day inside at both ends, so that each
 * local date has a year of four digits. What lies outside has no occurrence.
 */
export const FIRST_INSTANT = dayNumber(1, 1, 3) * DAY_SECONDS;
export const LAST_INSTANT = dayNumber(9999, 12, 30) * DAY_SECONDS - 1;

/** The milliseconds of a date that a caller handed in. @throws RangeError when it is no valid date. */
export function epochMs(date: Date, name: string): number {
  const ms = date instanceof Date ? date.getTime() : Number.NaN;
  if (Number.isNaN(ms))
    throw new RangeError(`${name} must be a valid Date, got ${String(date)}. Check how it is made.`);
  return ms;
}

/** The moment behind another: what is asked for before it may lie on that one. */
export const justAfter = (instant: Date): Date => new Date(instant.getTime() + 1);
