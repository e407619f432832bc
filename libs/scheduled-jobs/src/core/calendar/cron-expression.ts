import { shown } from '../job/option-reader.js';
import { CRON_FIELDS, CronFieldReader, isUnrestricted, type CronFieldKind } from './cron-field.js';
import { DayMatcher, type DayFields, type DaysOfMonth, type DaysOfWeek } from './day-matcher.js';

/** The fields of an expression as written, `0` for a second that was left out. */
export interface CronFieldTexts {
  readonly second: string;
  readonly minute: string;
  readonly hour: string;
  readonly dayOfMonth: string;
  readonly month: string;
  readonly dayOfWeek: string;
}

/** A cron expression, read. Lists are sorted and not empty. */
export interface CronExpressionFields {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: DayFields;
  /** The second, minute and hour fields hold numbers, lists and ranges only: such times run once per local date. */
  readonly namesItsTimes: boolean;
  readonly texts: CronFieldTexts;
}

const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const MAX_LENGTH = 1_000;
const LAYOUT = 'Write 5 fields (minute hour day-of-month month day-of-week) or 6 with the second first';

/**
 * Reads a cron expression and notes every problem of it with what to write instead; null when there is any.
 */
export function readCronExpression(expression: unknown, problems: string[]): CronExpressionFields | null {
  const found: string[] = [];
  const texts = fieldTexts(expression, found);
  const fields = texts === null ? null : readFields(texts, found);
  if (fields !== null && found.length === 0 && !new DayMatcher(fields.days).canMatch()) {
    found.push(
      `never fires: no day ${JSON.stringify(fields.texts.dayOfMonth)} exists in month ${JSON.stringify(fields.texts.month)}. Use "L" for the last day of a month.`,
    );
  }
  problems.push(...found.map((problem) => `cron expression ${shown(expression)}: ${problem}`));
  return found.length === 0 ? fields : null;
}

/** What is allowed but probably not meant. */
export function cronWarnings(expression: string, { texts }: CronExpressionFields): readonly string[] {
  if (texts.second !== '*' || texts.minute === '*') return [];
  const once = expression.trim().replace(/^\S+/, '0');
  return [
    `cron expression ${shown(expression)} fires every second of each minute it chooses: the first of six fields is the second. Write ${shown(once)} to fire once in each of these minutes.`,
  ];
}

function fieldTexts(expression: unknown, problems: string[]): CronFieldTexts | null {
  if (typeof expression !== 'string' || expression.trim() === '') {
    problems.push(`is not a text with fields. ${LAYOUT}.`);
    return null;
  }
  if (expression.length > MAX_LENGTH) {
    problems.push(`is longer than ${MAX_LENGTH} characters. Use ranges and steps.`);
    return null;
  }
  const written = expression.replace(/^[ \t]+|[ \t]+$/g, '');
  if (written.startsWith('@') && !Object.hasOwn(NICKNAMES, written)) {
    problems.push(`is an unknown nickname. Use one of ${Object.keys(NICKNAMES).join(', ')}.`);
    return null;
  }
  return namedFields((NICKNAMES[written] ?? written).split(/[ \t]+/), problems);
}

function namedFields(fields: readonly string[], problems: string[]): CronFieldTexts | null {
  const [second, minute, hour, dayOfMonth, month, dayOfWeek] = fields.length === 5 ? ['0', ...fields] : fields;
  if (fields.length > 6 || minute === undefined || hour === undefined || dayOfWeek === undefined) {
    const year = fields.length === 7 ? ' A year field is not supported.' : '';
    problems.push(`has ${fields.length} field${fields.length === 1 ? '' : 's'}. ${LAYOUT}.${year}`);
    return null;
  }
  return { second: second ?? '', minute, hour, dayOfMonth: dayOfMonth ?? '', month: month ?? '', dayOfWeek };
}

function readFields(texts: CronFieldTexts, problems: string[]): CronExpressionFields {
  const values = (field: CronFieldKind, text: string): readonly number[] =>
    new CronFieldReader(field, text, problems).values();
  return {
    seconds: values(CRON_FIELDS.second, texts.second),
    minutes: values(CRON_FIELDS.minute, texts.minute),
    hours: values(CRON_FIELDS.hour, texts.hour),
    days: {
      daysOfMonth: readDaysOfMonth(texts.dayOfMonth, problems),
      months: values(CRON_FIELDS.month, texts.month),
      daysOfWeek: readDaysOfWeek(texts.dayOfWeek, problems),
    },
    namesItsTimes: ![texts.second, texts.minute, texts.hour].some((text) => /[*?/]/.test(text)),
    texts,
  };
}

function readDaysOfMonth(text: string, problems: string[]): DaysOfMonth {
  const reader = new CronFieldReader(CRON_FIELDS.dayOfMonth, isUnrestricted(text) ? '*' : text, problems);
  const specials = { last: false, lastWorkday: false };
  const nearestWorkdayTo: number[] = [];
  const days = reader.values((member) => {
    const nearest = /^(\d+)W$/.exec(member)?.[1];
    if (member === 'L') specials.last = true;
    else if (member === 'LW') specials.lastWorkday = true;
    else if (nearest !== undefined) nearestWorkdayTo.push(...listed(reader.value(nearest)));
    else return false;
    return true;
  });
  return {
    isRestricted: !isUnrestricted(text),
    days,
    includesLast: specials.last,
    includesLastWorkday: specials.lastWorkday,
    nearestWorkdayTo,
  };
}

function readDaysOfWeek(text: string, problems: string[]): DaysOfWeek {
  const reader = new CronFieldReader(CRON_FIELDS.dayOfWeek, isUnrestricted(text) ? '*' : text, problems);
  const nth: { weekday: number; ordinal: number }[] = [];
  const last: number[] = [];
  const weekdays = reader.values((member) => {
    const [, nthDay, ordinal] = /^([A-Za-z0-9]+)#(\d+)$/.exec(member) ?? [];
    const lastDay = /^(\d+|[A-Za-z]{3})L$/.exec(member)?.[1];
    if (nthDay !== undefined) {
      if (Number(ordinal) < 1 || Number(ordinal) > 5) reader.refuse(`asks for number ${ordinal}. Use 1 to 5 after "#"`);
      nth.push(...listed(reader.value(nthDay)).map((weekday) => ({ weekday, ordinal: Number(ordinal) })));
    } else if (lastDay === undefined) return false;
    else last.push(...listed(reader.value(lastDay)));
    return true;
  });
  return { isRestricted: !isUnrestricted(text), weekdays, nth, last };
}

const listed = (value: number | null): readonly number[] => (value === null ? [] : [value]);
