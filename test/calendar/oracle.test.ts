import { describe, expect, it } from 'vitest';
import { readSchedule } from './oracle-schedule.js';
import { DEFAULT_POLICY, expectedIn } from './oracle.js';
import { CALENDAR_CASES, windowOf } from './peer-cases.js';

describe('The oracle of the calendar', () => {
  it.each(CALENDAR_CASES)('finds what was recorded: $expression in $timeZone after $after', (recorded) => {
    const window = windowOf(recorded);
    if (window === null) return; // years
    const after = Date.parse(recorded.after) / 1_000;
    const until = Date.parse(recorded.expected.at(-1)!) / 1_000;
    const found = expectedIn(window, readSchedule(recorded.expression), DEFAULT_POLICY);
    const asked = found.filter(({ at }) => at > after && at <= until);
    expect(asked.map(({ at }) => at * 1_000)).toEqual(recorded.expected.map((at) => Date.parse(at)));
    expect(asked.map(({ wall }) => new Date(wall * 1_000).toISOString().slice(0, 10))).toEqual(recorded.dates);
  });
});
