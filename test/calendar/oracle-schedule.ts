/** An expression as the oracle reads it: with a reader of its own, for what the calendar accepts. */
export interface OracleSchedule {
  readonly seconds: readonly number[];
  /** 1 = this minute of the day is chosen. */
  readonly minutes: Uint8Array;
  readonly namesItsTimes: boolean;
  readonly namesOneTime: boolean;
  readonly isChosenDay: (day: number) => boolean;
}

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
const NAMES = [
  'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
  'SUN MON TUE WED THU FRI SAT'.split(' '),
] as const;

/** Five fields, or six with the second first. */
export function readSchedule(expression: string): OracleSchedule {
  const fields = expression.trim().split(/\s+/);
  const [second = '', minute = '', hour = '', date = '', month = '', weekday = ''] =
    fields.length === 5 ? ['0', ...fields] : fields;
  const [seconds, minutes, hours] = [valuesOf(second, 0, 59), valuesOf(minute, 0, 59), valuesOf(hour, 0, 23)];
  const namesItsTimes = !/[*?/]/.test(second + minute + hour);
  return {
    seconds: [...seconds].toSorted((a, b) => a - b),
    minutes: minutesOfDay(hours, minutes),
    namesItsTimes,
    namesOneTime: namesItsTimes && seconds.size * minutes.size * hours.size === 1,
    isChosenDay: dayRule(date, valuesOf(named(month, 0, 1), 1, 12), named(weekday, 1, 0)),
  };
}

function minutesOfDay(hours: ReadonlySet<number>, minutes: ReadonlySet<number>): Uint8Array {
  const chosen = new Uint8Array(DAY_MINUTES);
  for (const hour of hours) for (const minute of minutes) chosen[hour * 60 + minute] = 1;
  return chosen;
}

const named = (text: string, list: 0 | 1, first: number): string =>
  text.replace(/[a-z]{3}/gi, (name) => String(NAMES[list].indexOf(name.toUpperCase()) + first));

function valuesOf(text: string, min: number, max: number): Set<number> {
  const values = new Set<number>();
  for (const member of text.split(',')) {
    const [range = '', step] = member.split('/');
    const [low = '', high] = range === '*' || range === '?' ? [`${min}`, `${max}`] : range.split('-');
    const last = Number(high ?? (step === undefined ? low : max));
    for (let value = Number(low); value <= last; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

function dayRule(date: string, months: ReadonlySet<number>, weekday: string): (day: number) => boolean {
  const isFree = (text: string): boolean => text === '*' || text === '?';
  const members = (text: string): string[] => (isFree(text) ? [] : text.split(','));
  const rules = [...members(date).map(dateRule), ...members(weekday).map(weekdayRule)];
  return (day) => {
    const clock = new Date(day * DAY_MS);
    if (!months.has(clock.getUTCMonth() + 1)) return false;
    return rules.length === 0 || rules.some((isChosen) => isChosen(clock));
  };
}

type DateRule = (clock: Date) => boolean;

const inDays = (clock: Date, days: number): Date => new Date(clock.getTime() + days * DAY_MS);
const isSameMonth = (a: Date, b: Date): boolean => a.getUTCMonth() === b.getUTCMonth();
const isWorkday = (clock: Date): boolean => clock.getUTCDay() % 6 !== 0;

function dateRule(member: string): DateRule {
  if (member === 'L') return (clock) => !isSameMonth(clock, inDays(clock, 1));
  if (member === 'LW') {
    return (clock) =>
      isWorkday(clock) &&
      [1, 2, 3].every((days) => !isSameMonth(clock, inDays(clock, days)) || !isWorkday(inDays(clock, days)));
  }
  if (member.endsWith('W')) {
    return (clock) => {
      const wanted = new Date(Date.UTC(clock.getUTCFullYear(), clock.getUTCMonth(), Number.parseInt(member, 10)));
      if (!isSameMonth(wanted, clock)) return false;
      const nearest = [0, -1, 1, -2, 2].map((days) => inDays(wanted, days));
      return nearest.find((day) => isWorkday(day) && isSameMonth(day, clock))?.getTime() === clock.getTime();
    };
  }
  const days = valuesOf(member, 1, 31);
  return (clock) => days.has(clock.getUTCDate());
}

function weekdayRule(member: string): DateRule {
  const day = Number.parseInt(member, 10) % 7;
  if (member.endsWith('L')) return (clock) => clock.getUTCDay() === day && !isSameMonth(clock, inDays(clock, 7));
  const [, ordinal] = member.split('#');
  if (ordinal !== undefined) {
    return (clock) => clock.getUTCDay() === day && Math.ceil(clock.getUTCDate() / 7) === Number(ordinal);
  }
  const [low, high] = /^(\d)-(\d)/.exec(member)?.slice(1).map(Number) ?? [];
  // FRI-SUN ends in Sunday as the day after Saturday
  const days = valuesOf(high === 0 && low !== 0 ? member.replace('-0', '-7') : member, 0, 6);
  return (clock) => days.has(clock.getUTCDay()) || (days.has(7) && clock.getUTCDay() === 0);
}
