import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSchedule } from './schedule.js';

interface CalendarCase {
  readonly expression: string;
  readonly timeZone: string;
  readonly after: string;
  readonly expected: readonly string[];
  /** The local date that each expected instant was named for. */
  readonly dates: readonly string[];
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../../../test/support/calendar-cases.json', import.meta.url), 'utf8'),
) as readonly CalendarCase[];

const MINUTE_MS = 60_000;
const iso = (date: Date | null | undefined): string => date?.toISOString().replace('.000Z', 'Z') ?? 'none';
const at = (text: string): Date => new Date(text);

describe('Schedule: recorded cases', () => {
  it('has all of them', () => {
    expect(CASES).toHaveLength(93);
  });

  it.each(CASES)('$expression in $timeZone after $after', ({ expression, timeZone, after, expected, dates }) => {
    const schedule = parseSchedule(expression, { timeZone });
    const occurrences = schedule.occurrences({ after: at(after), limit: expected.length });
    expect(occurrences.map(({ scheduledFor }) => iso(scheduledFor))).toEqual(expected);
    expect(occurrences.map(({ period }) => period.slice(0, 10))).toEqual(dates);
    expect(iso(schedule.next(at(after)))).toBe(expected[0]);
  });

  it.each(CASES)('backward, counted and matched: $expression in $timeZone after $after', (recorded) => {
    const schedule = parseSchedule(recorded.expression, { timeZone: recorded.timeZone });
    const last = at(recorded.expected.at(-1)!);
    const backward = recorded.expected.map(() => '');
    for (let before = new Date(last.getTime() + 1), index = backward.length - 1; index >= 0; index--) {
      before = schedule.previous(before)!;
      backward[index] = iso(before);
      expect(schedule.matches(before)).toBe(true);
      expect(schedule.matches(new Date(before.getTime() + 500))).toBe(false);
    }
    expect(backward).toEqual(recorded.expected);
    expect(schedule.count({ after: at(recorded.after), until: last })).toBe(recorded.expected.length);
  });

  it.each(CASES)('matches nothing before the next: $expression in $timeZone after $after', (recorded) => {
    const schedule = parseSchedule(recorded.expression, { timeZone: recorded.timeZone });
    const next = schedule.next(at(recorded.after))!.getTime();
    const first = Math.ceil((at(recorded.after).getTime() + 1) / MINUTE_MS) * MINUTE_MS;
    const matched: string[] = [];
    for (let minute = first; minute < Math.min(next, first + 31 * 1_440 * MINUTE_MS); minute += MINUTE_MS) {
      if (schedule.matches(new Date(minute))) matched.push(iso(new Date(minute)));
    }
    expect(matched).toEqual([]);
  });
});
