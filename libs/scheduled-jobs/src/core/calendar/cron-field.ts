/** One field of a cron expression: its values and the names it takes for them. */
export interface CronFieldKind {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** Largest step: the number of the field's values. */
  readonly maxStep: number;
  /** Upper-case three-letter names; the first stands for `min`. */
  readonly names: readonly string[];
  /** What else may stand in it, for messages. */
  readonly specials: readonly string[];
  /** Sunday is 0 and 7, and a range may end in it. */
  readonly isCyclic: boolean;
}

const kind = (label: string, min: number, max: number): CronFieldKind => ({
  label,
  min,
  max,
  maxStep: max - min + 1,
  names: [],
  specials: [],
  isCyclic: false,
});

export const WEEKDAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;
export const MONTH_NAMES = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

export const CRON_FIELDS = {
  second: kind('second', 0, 59),
  minute: kind('minute', 0, 59),
  hour: kind('hour', 0, 23),
  dayOfMonth: { ...kind('day-of-month', 1, 31), specials: ['L', 'LW', '15W'] },
  month: { ...kind('month', 1, 12), names: MONTH_NAMES },
  dayOfWeek: { ...kind('day-of-week', 0, 6), names: WEEKDAY_NAMES, specials: ['5L', '5#2'], isCyclic: true },
} as const satisfies Readonly<Record<string, CronFieldKind>>;

/** A field that chooses every value. `?` says so in the two day fields. */
export const isUnrestricted = (text: string): boolean => text === '*' || text === '?';

/** Reads a list member that only one field knows, such as `LW`; false = not one of those. */
export type SpecialMember = (member: string) => boolean;

const SUNDAY_AS_SEVEN = 7;
const MEMBER = /^(?<start>\*|[A-Za-z0-9]+)(?:-(?<end>[A-Za-z0-9]+))?(?:\/(?<step>\d+))?$/;
const SYNTAX = 'a number, a range such as 1-5, a step such as */15 or 10-50/5, or a list of them';
const listOf = (words: readonly string[]): string => words.join(', ');

/** Sorted and without doubles. Most fields are written in order, and thousands of them are read when a process starts. */
function inOrder(values: readonly number[]): readonly number[] {
  const isInOrder = values.every((value, index) => index === 0 || value > (values[index - 1] ?? value));
  return isInOrder ? values : [...new Set(values)].toSorted((a, b) => a - b);
}

/**
 * Reads one field as a sorted list of values and notes every problem of it. `*` gives all values.
 */
export class CronFieldReader {
  constructor(
    private readonly field: CronFieldKind,
    private readonly text: string,
    private readonly problems: string[],
  ) {}

  values(special: SpecialMember = () => false): readonly number[] {
    const members = this.text.split(',');
    if (members.includes('')) this.refuse('has an empty list member. Remove the extra comma');
    if (members.length > 1 && members.includes('*'))
      this.refuse('has "*" in a list. Write "*" alone, or name the values');
    const values: number[] = [];
    for (const member of members) {
      if (member === '' || (members.length > 1 && member === '*') || special(member)) continue;
      values.push(...this.member(member));
    }
    return inOrder(values);
  }

  /** The value of a number or name, Sunday always 0; null and a problem when it is none. */
  value(text: string): number | null {
    const value = this.number(text);
    return value === SUNDAY_AS_SEVEN && this.field.isCyclic ? 0 : value;
  }

  refuse(problem: string): void {
    this.problems.push(`${this.field.label} field ${JSON.stringify(this.text)} ${problem}.`);
  }

  private member(member: string): readonly number[] {
    const { start, end, step } = MEMBER.exec(member)?.groups ?? {};
    if (start === undefined || (start === '*' && end !== undefined)) {
      this.refuse(`has ${JSON.stringify(member)}, which is not understood. ${this.hint(member)}`);
      return [];
    }
    const width = this.step(step);
    const range = this.range(start, end, step !== undefined);
    if (width === null || range === null) return [];
    const values: number[] = [];
    for (let value = range.first; value <= range.last; value += width) values.push(value % this.modulus);
    return values;
  }

  private range(start: string, end: string | undefined, hasStep: boolean): { first: number; last: number } | null {
    if (start === '*') return { first: this.field.min, last: this.field.max };
    if (end === undefined && !hasStep) {
      const value = this.value(start);
      return value === null ? null : { first: value, last: value };
    }
    const first = this.number(start);
    const last = end === undefined ? this.field.max : this.number(end);
    return first === null || last === null ? null : this.ordered(first, this.asRangeEnd(last, first));
  }

  private ordered(first: number, last: number): { first: number; last: number } | null {
    if (first <= last) return { first, last };
    const sunday =
      this.field.isCyclic && first === SUNDAY_AS_SEVEN ? ' Sunday at the start of a range or step is 0.' : '';
    this.refuse(`runs backwards (${first} to ${last}). Write two ranges, or the smaller value first${sunday}`);
    return null;
  }

  /** `FRI-SUN` and `5-0` end in Sunday as the day after Saturday. */
  private asRangeEnd(last: number, first: number): number {
    return this.field.isCyclic && last === 0 && first > 0 && first < SUNDAY_AS_SEVEN ? SUNDAY_AS_SEVEN : last;
  }

  private step(text: string | undefined): number | null {
    if (text === undefined) return 1;
    const step = Number(text);
    if (step >= 1 && step <= this.field.maxStep) return step;
    this.refuse(`has the step ${text}. Use a step from 1 to ${this.field.maxStep}, the number of values of the field`);
    return null;
  }

  private number(text: string): number | null {
    const { min, max, names, specials, label } = this.field;
    const limit = this.field.isCyclic ? SUNDAY_AS_SEVEN : max;
    if (/^\d+$/.test(text)) {
      if (Number(text) >= min && Number(text) <= limit) return Number(text);
      this.refuse(`has ${text}. Use ${min} to ${limit}`);
      return null;
    }
    const name = names.indexOf(text.toUpperCase());
    if (name >= 0) return min + name;
    const known = listOf([`numbers from ${min} to ${limit}`, ...names, ...specials]);
    this.refuse(`has ${JSON.stringify(text)}, which is no ${label}. Use ${known}`);
    return null;
  }

  private get modulus(): number {
    return this.field.isCyclic ? SUNDAY_AS_SEVEN : Number.MAX_SAFE_INTEGER;
  }

  private hint(member: string): string {
    if (member.includes('?')) return '"?" stands alone, and only in the two day fields; elsewhere write "*"';
    if (member.startsWith('/')) return `Write "*${member}"`;
    if (/^[+-]/.test(member)) return 'A value has no sign';
    const { specials } = this.field;
    return specials.length === 0 ? `Use ${SYNTAX}` : `Use ${SYNTAX}, or ${listOf(specials)}`;
  }
}
