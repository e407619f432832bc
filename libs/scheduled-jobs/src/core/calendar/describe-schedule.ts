import type { CronFieldTexts } from './cron-expression.js';
import { isUnrestricted, MONTH_NAMES, WEEKDAY_NAMES } from './cron-field.js';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const stepOf = (text: string): number | null => Number(/^\*\/(\d+)$/.exec(text)?.[1] ?? Number.NaN) || null;

/** A schedule in one English line: times of day, days, months, zone. */
export function describeSchedule(texts: CronFieldTexts, timeZone: string): string {
  const line = [timesOfDay(texts), days(texts), months(texts.month)].filter((part) => part !== '').join(', ');
  return `${line.charAt(0).toUpperCase()}${line.slice(1)} (${timeZone})`;
}

function timesOfDay({ second, minute, hour }: CronFieldTexts): string {
  if (isNumber(minute) && isNumber(second) && /^[\d,]+$/.test(hour)) {
    return `at ${joined(hour.split(',').map((value) => clock([value, minute, second])))}`;
  }
  const fields = [
    { text: second, name: 'second', size: 60 },
    { text: minute, name: 'minute', size: 60 },
    { text: hour, name: 'hour', size: 24 },
  ].slice(isNumber(second) && Number(second) === 0 ? 1 : 0);
  const told = fields.filter(({ text }, index) => !(isUnrestricted(text) && isRegular(fields[index - 1])));
  const line = told.map((field, index) => (index === 0 ? firstUnit(field) : outerUnit(field))).join(' of ');
  return line.startsWith('every') ? line : `at ${line}`;
}

interface UnitField {
  readonly text: string;
  readonly name: string;
  readonly size: number;
}

/** `every 5 minutes` needs no `of every hour` behind it. */
const isRegular = (inner: UnitField | undefined): boolean =>
  inner !== undefined && (isUnrestricted(inner.text) || inner.size % (stepOf(inner.text) ?? Number.NaN) === 0);

function firstUnit(field: UnitField): string {
  const step = stepOf(field.text);
  if (step === null || step === 1) return outerUnit(field);
  const start = field.size % step === 0 ? '' : ` from ${field.name} 0`;
  return `every ${step} ${field.name}s${start}`;
}

function outerUnit({ text, name }: UnitField): string {
  const step = stepOf(text);
  if (isUnrestricted(text) || step === 1) return `every ${name}`;
  if (step !== null) return `every ${nth(step)} ${name}`;
  return `${/[-,/]/.test(text) ? `${name}s` : name} ${text.replaceAll(',', ', ')}`;
}

function clock([hour = '', minute = '', second = '']: readonly string[]): string {
  const parts = Number(second) === 0 ? [hour, minute] : [hour, minute, second];
  return parts.map((part) => String(Number(part)).padStart(2, '0')).join(':');
}

/** Both day fields restricted: a day fires when either chooses it. */
function days({ dayOfMonth, dayOfWeek }: CronFieldTexts): string {
  if (isUnrestricted(dayOfMonth) && isUnrestricted(dayOfWeek)) return 'every day';
  const byDate = isUnrestricted(dayOfMonth) ? [] : [`on ${joined(dayOfMonth.split(',').map(dateMember))} of the month`];
  const byWeekday = isUnrestricted(dayOfWeek) ? [] : [`on ${joined(dayOfWeek.split(',').map(weekdayMember))}`];
  return [...byDate, ...byWeekday].join(' or ');
}

function dateMember(member: string): string {
  const step = stepOf(member);
  if (member === 'L') return 'the last day';
  if (member === 'LW') return 'the last day from Monday to Friday';
  if (member.endsWith('W')) return `the day from Monday to Friday nearest to day ${Number(member.slice(0, -1))}`;
  if (step !== null) return `every ${nth(step)} day from day 1`;
  return `${/[-/]/.test(member) ? 'days' : 'day'} ${member}`;
}

function weekdayMember(member: string): string {
  const [day = '', ordinal] = member.split('#');
  if (ordinal !== undefined) return `the ${nth(Number(ordinal))} ${weekdayName(day)} of the month`;
  if (/^.+L$/.test(member)) return `the last ${weekdayName(member.slice(0, -1))} of the month`;
  return rangeMember(member, { name: weekdayName, whole: 'Sunday to Saturday', unit: 'day' });
}

function months(text: string): string {
  return isUnrestricted(text) ? '' : `in ${joined(text.split(',').map(monthMember))}`;
}

function monthMember(member: string): string {
  return rangeMember(member, { name: monthName, whole: 'January to December', unit: 'month' });
}

function rangeMember(
  member: string,
  words: { readonly name: (text: string) => string; readonly whole: string; readonly unit: string },
): string {
  const [range = '', step] = member.split('/');
  const ends = range.split('-').map(words.name);
  if (step === undefined) return ends.join(' to ');
  const start = ends.length === 1 ? `from ${ends.join('')} on` : `from ${ends.join(' to ')}`;
  return `every ${nth(Number(step))} ${words.unit} ${range === '*' ? `from ${words.whole}` : start}`;
}

function weekdayName(text: string): string {
  const index = (WEEKDAY_NAMES as readonly string[]).indexOf(text.toUpperCase());
  return WEEKDAYS[index >= 0 ? index : Number(text)] ?? text;
}

function monthName(text: string): string {
  const index = MONTH_NAMES.indexOf(text.toUpperCase());
  return MONTHS[index >= 0 ? index : Number(text) - 1] ?? text;
}

function nth(number: number): string {
  const isTeen = number >= 11 && number <= 13;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
