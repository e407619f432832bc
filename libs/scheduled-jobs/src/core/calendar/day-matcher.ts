import { civilDate, dayNumber, daysInMonth, weekday } from './civil-date.js';

/** The day-of-month field. */
export interface DaysOfMonth {
  /** False for `*` and `?` alone. */
  readonly isRestricted: boolean;
  readonly days: readonly number[];
  /** `L`: the last day. */
  readonly includesLast: boolean;
  /** `LW`: the last day from Monday to Friday. */
  readonly includesLastWorkday: boolean;
  /** `nW`: the day from Monday to Friday nearest to day n. */
  readonly nearestWorkdayTo: readonly number[];
}

/** The day-of-week field, Sunday = 0. */
export interface DaysOfWeek {
  /** False for `*` and `?` alone. */
  readonly isRestricted: boolean;
  readonly weekdays: readonly number[];
  /** `n#k`: the k-th such weekday, k 1–5. */
  readonly nth: readonly { readonly weekday: number; readonly ordinal: number }[];
  /** `nL`: the last such weekday. */
  readonly last: readonly number[];
}

/** The fields that choose days. */
export interface DayFields {
  readonly months: readonly number[];
  readonly daysOfMonth: DaysOfMonth;
  readonly daysOfWeek: DaysOfWeek;
}

/** The shape of a month: its length 28–31 and the weekday of its first day. */
interface MonthShape {
  readonly length: number;
  readonly firstWeekday: number;
}

/** A month with its chosen days. */
interface ChosenMonth {
  /** The number of its first day. */
  readonly firstDay: number;
  readonly length: number;
  readonly days: number;
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const SATURDAY = 6;
const SUNDAY = 0;

const bit = (day: number): number => 1 << (day - 1);
const lowestDay = (days: number): number => 32 - Math.clz32(days & -days);
const highestDay = (days: number): number => 32 - Math.clz32(days);

function size(days: number): number {
  let count = 0;
  for (let rest = days; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/**
 * Finds the days that the three day fields choose. The chosen days of a month depend on its shape alone, so each of the 28
 * shapes is worked out once, when it is met, as one number with a bit per day.
 */
export class DayMatcher {
  private readonly months: ReadonlySet<number>;
  private readonly daysByShape = new Map<number, number>();
  /** Of the last question: times that follow each other are asked about one after the other. */
  private lastMonth: ChosenMonth = { firstDay: 0, length: 0, days: 0 };

  constructor(private readonly fields: DayFields) {
    this.months = new Set(fields.months);
  }

  /** False when no day of any year is chosen. Every shape of every month occurs within 400 years. */
  canMatch(): boolean {
    return this.fields.months.some((month) =>
      WEEKDAYS.some((firstWeekday) =>
        [2023, 2024].some((year) => this.daysOfShape({ length: daysInMonth(year, month), firstWeekday }) !== 0),
      ),
    );
  }

  has(dayNumber: number): boolean {
    const { firstDay, days } = this.monthOf(dayNumber);
    return (days & bit(dayNumber - firstDay + 1)) !== 0;
  }

  /** The first chosen day in `from … last`, both inclusive; null when there is none. */
  firstIn(from: number, last: number): number | null {
    let { year, month, day } = civilDate(from);
    let days = this.daysOf(year, month) & -bit(day);
    for (let first = from - day + 1; first <= last;) {
      if (days !== 0) return withinOrNull(first + lowestDay(days) - 1, from, last);
      first += daysInMonth(year, month);
      [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
      days = this.daysOf(year, month);
    }
    return null;
  }

  /** The last chosen day in `first … until`, both inclusive; null when there is none. */
  lastIn(first: number, until: number): number | null {
    let { year, month, day } = civilDate(until);
    let days = this.daysOf(year, month) & (2 * bit(day) - 1);
    for (let end = until; end >= first;) {
      if (days !== 0) return withinOrNull(end - day + highestDay(days), first, until);
      end -= day;
      [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1];
      day = daysInMonth(year, month);
      days = this.daysOf(year, month);
    }
    return null;
  }

  /** How many chosen days lie in `from … until`, `until` exclusive; walks months, not days. */
  countIn(from: number, until: number): number {
    let count = 0;
    for (let next = from; next < until;) {
      const { year, month, day } = civilDate(next);
      const length = daysInMonth(year, month);
      const end = Math.min(length, day + (until - next) - 1);
      count += size(this.daysOf(year, month) & -bit(day) & (2 * bit(end) - 1));
      next += length - day + 1;
    }
    return count;
  }

  private monthOf(dayNumber: number): ChosenMonth {
    const { firstDay, length } = this.lastMonth;
    if (dayNumber >= firstDay && dayNumber < firstDay + length) return this.lastMonth;
    const { year, month, day } = civilDate(dayNumber);
    const days = this.daysOf(year, month);
    this.lastMonth = { firstDay: dayNumber - day + 1, length: daysInMonth(year, month), days };
    return this.lastMonth;
  }

  private daysOf(year: number, month: number): number {
    if (!this.months.has(month)) return 0;
    return this.daysOfShape({
      length: daysInMonth(year, month),
      firstWeekday: weekday(dayNumber(year, month, 1)),
    });
  }

  private daysOfShape(shape: MonthShape): number {
    const key = shape.length * WEEKDAYS.length + shape.firstWeekday;
    const days = this.daysByShape.get(key) ?? matchingDays(this.fields, shape);
    this.daysByShape.set(key, days);
    return days;
  }
}

const withinOrNull = (day: number, first: number, last: number): number | null =>
  day >= first && day <= last ? day : null;

function matchingDays({ daysOfMonth, daysOfWeek }: DayFields, shape: MonthShape): number {
  const whole = 2 * bit(shape.length) - 1;
  if (!daysOfMonth.isRestricted && !daysOfWeek.isRestricted) return whole;
  const byDate = daysOfMonth.isRestricted ? daysByDate(daysOfMonth, shape) : 0;
  const byWeekday = daysOfWeek.isRestricted ? daysByWeekday(daysOfWeek, shape) : 0;
  return (byDate | byWeekday) & whole;
}

function daysByDate(field: DaysOfMonth, shape: MonthShape): number {
  let days = field.days.reduce((chosen, day) => chosen | bit(day), 0);
  if (field.includesLast) days |= bit(shape.length);
  if (field.includesLastWorkday) days |= bit(nearestWorkday(shape.length, shape));
  for (const day of field.nearestWorkdayTo) if (day <= shape.length) days |= bit(nearestWorkday(day, shape));
  return days;
}

/** The day from Monday to Friday nearest to `day`, without leaving the month. */
function nearestWorkday(day: number, shape: MonthShape): number {
  const at = (shape.firstWeekday + day - 1) % 7;
  if (at === SATURDAY) return day > 1 ? day - 1 : day + 2;
  if (at === SUNDAY) return day < shape.length ? day + 1 : day - 2;
  return day;
}

function daysByWeekday(field: DaysOfWeek, { length, firstWeekday }: MonthShape): number {
  const first = (weekday: number): number => 1 + ((weekday - firstWeekday + 7) % 7);
  let days = 0;
  for (const weekday of field.weekdays) for (let day = first(weekday); day <= length; day += 7) days |= bit(day);
  for (const { weekday, ordinal } of field.nth) {
    const day = first(weekday) + 7 * (ordinal - 1);
    if (day <= length) days |= bit(day);
  }
  for (const weekday of field.last) {
    const day = first(weekday);
    days |= bit(day + 7 * Math.floor((length - day) / 7));
  }
  return days;
}
