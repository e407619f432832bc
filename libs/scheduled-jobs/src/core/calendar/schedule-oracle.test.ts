import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSchedule, type Schedule } from './schedule.js';

/**
 * The judge of the calendar: a brute-force reading of the wall clock of every minute around real clock changes, taken from
 * `Intl` alone. It shares nothing with the calendar but the written rules.
 */
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const SEED = 20_260_814;
/** Minutes at each end of a window that only serve to see first and last passes. */
const MARGIN = 26 * 60;

interface Window {
  readonly timeZone: string;
  /** The minute of the first reading. */
  readonly start: number;
  /** Wall minutes, one reading per real minute. */
  readonly walls: readonly number[];
  /** Where a wall minute is read first and last. */
  readonly passes: ReadonlyMap<number, { readonly first: number; readonly last: number }>;
  readonly livedDates: ReadonlySet<number>;
}

/** A generated field: its text and the values it stands for. */
interface Field {
  readonly text: string;
  readonly values: ReadonlySet<number>;
}

interface Rules {
  readonly minute: Field;
  readonly hour: Field;
  readonly date: Field | null;
  readonly weekday: Field | null;
  readonly gap: 'next-valid' | 'skip';
  readonly fold: 'first' | 'last' | 'both';
}

interface Expected {
  readonly minute: number;
  readonly wall: number;
  readonly isLeftOut: boolean;
}

const wallReader = (timeZone: string): ((minute: number) => number) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (minute) => Date.parse(`${format.format(minute * MINUTE_MS).replace(' ', 'T')}:00Z`) / MINUTE_MS;
};

function windowAround(timeZone: string, change: number, days = 4): Window {
  const read = wallReader(timeZone);
  const start = Math.floor(change - (days / 2) * DAY_MINUTES);
  const walls = Array.from({ length: days * DAY_MINUTES }, (_, index) => read(start + index));
  const passes = new Map<number, { readonly first: number; readonly last: number }>();
  walls.forEach((wall, index) => passes.set(wall, { first: passes.get(wall)?.first ?? index, last: index }));
  return { timeZone, start, walls, passes, livedDates: new Set(walls.map((wall) => Math.floor(wall / DAY_MINUTES))) };
}

/** Changes of some zones from 2000 to 2037, each to the day. */
function sampledChanges(zones: readonly string[]): (readonly [string, number])[] {
  const first = Date.UTC(2000, 0, 1) / MINUTE_MS;
  const last = Date.UTC(2037, 11, 31) / MINUTE_MS;
  return zones.flatMap((timeZone) => {
    const read = wallReader(timeZone);
    const offset = (minute: number): number => read(minute) - minute;
    const found: (readonly [string, number])[] = [];
    for (let minute = first; minute < last; minute += 7 * DAY_MINUTES) {
      if (offset(minute) === offset(minute + 7 * DAY_MINUTES)) continue;
      const days = [1, 2, 3, 4, 5, 6, 7].map((day) => minute + day * DAY_MINUTES);
      found.push([timeZone, days.find((day) => offset(day) !== offset(minute)) ?? minute]);
    }
    return found;
  });
}

const utcMinute = (iso: string): number => Date.parse(iso) / MINUTE_MS;

/** Changes that broke other calendars: at and across midnight, by half an hour, two hours, a day, twice in a month. */
const NOTORIOUS: readonly (readonly [string, string])[] = [
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Europe/Berlin', '2024-10-27T01:00Z'],
  ['Australia/Lord_Howe', '2023-09-30T15:30Z'],
  ['Australia/Lord_Howe', '2024-04-06T15:00Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00Z'],
  ['America/Sao_Paulo', '2018-02-18T02:00Z'],
  ['America/Santiago', '2023-04-02T03:00Z'],
  ['America/Havana', '2025-03-09T05:00Z'],
  ['America/St_Johns', '2006-10-29T02:31Z'],
  ['America/St_Johns', '2006-04-02T03:31Z'],
  ['Atlantic/Azores', '2025-03-30T01:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Pacific/Kwajalein', '1993-08-21T12:00Z'],
  ['Pacific/Apia', '2012-03-31T14:00Z'],
  ['Antarctica/Troll', '2025-03-30T01:00Z'],
  ['Antarctica/Casey', '2020-10-03T16:00Z'],
  ['America/Recife', '2000-10-12T00:00Z'],
  ['Asia/Pyongyang', '2015-08-14T15:00Z'],
  ['America/Toronto', '1919-03-31T04:30Z'],
  // on or beside the bounds of the blocks that the calendar searches zones in
  ['Europe/Warsaw', '1985-03-31T00:00Z'],
  ['Africa/Tunis', '2005-09-30T00:00Z'],
  ['Europe/Paris', '1944-10-07T23:00Z'],
];

const field = (min: number, max: number, low: number, high: number): fc.Arbitrary<Field> => {
  const all = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const value = fc.oneof(fc.integer({ min: low, max: high }), fc.integer({ min, max }));
  return fc.oneof(
    value.map((number) => ({ text: `${number}`, values: new Set([number]) })),
    fc.array(value, { minLength: 2, maxLength: 4 }).map((list) => ({ text: list.join(','), values: new Set(list) })),
    fc.tuple(value, value).map(([a, b]) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      return { text: `${first}-${last}`, values: new Set(all.filter((number) => number >= first && number <= last)) };
    }),
    fc.constant({ text: '*', values: new Set(all) }),
    fc.integer({ min: 2, max: max - min }).map((step) => ({
      text: `*/${step}`,
      values: new Set(all.filter((number) => (number - min) % step === 0)),
    })),
    fc.tuple(value, fc.integer({ min: 1, max: Math.min(20, all.length) })).map(([first, step]) => ({
      text: `${first}/${step}`,
      values: new Set(all.filter((number) => number >= first && (number - first) % step === 0)),
    })),
  );
};

const RULES: fc.Arbitrary<Rules> = fc.record({
  minute: field(0, 59, 0, 59),
  hour: fc.oneof(field(0, 23, 0, 4), field(0, 23, 22, 23)),
  date: fc.option(field(1, 31, 1, 31), { freq: 2 }),
  weekday: fc.option(field(0, 6, 0, 6), { freq: 2 }),
  gap: fc.constantFrom('next-valid', 'skip'),
  fold: fc.constantFrom('first', 'last', 'both'),
});

const expressionOf = ({ minute, hour, date, weekday }: Rules): string =>
  `${minute.text} ${hour.text} ${date?.text ?? '*'} * ${weekday?.text ?? '?'}`;

function matches(rules: Rules, wall: number): boolean {
  const ofDay = ((wall % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  if (!rules.minute.values.has(ofDay % 60) || !rules.hour.values.has(Math.floor(ofDay / 60))) return false;
  const clock = new Date(wall * MINUTE_MS);
  const byDate = rules.date === null || rules.date.text === '*' ? null : rules.date.values.has(clock.getUTCDate());
  const byWeekday =
    rules.weekday === null || rules.weekday.text === '*' ? null : rules.weekday.values.has(clock.getUTCDay());
  return byDate === null && byWeekday === null ? true : (byDate ?? false) || (byWeekday ?? false);
}

function expectedIn({ start, walls, passes, livedDates }: Window, rules: Rules): Expected[] {
  const namesItsTimes = !/[*/]/.test(rules.minute.text + rules.hour.text);
  return walls.flatMap((wall, index) => {
    const at = { minute: start + index, isLeftOut: false };
    if (matches(rules, wall)) {
      const isWrongPass = rules.fold !== 'both' && passes.get(wall)?.[rules.fold] !== index;
      return namesItsTimes && isWrongPass ? [] : [{ ...at, wall }];
    }
    const missing = namesItsTimes && index > 0 ? missingBetween(walls.at(index - 1)!, wall, livedDates) : [];
    const named = missing.filter((minute) => matches(rules, minute));
    if (named.length === 0) return [];
    const isLeftOut = rules.gap === 'skip';
    return [{ ...at, wall: isLeftOut ? named.at(0)! : named.at(-1)!, isLeftOut }];
  });
}

/** Wall minutes that a gap leaves out, without dates of which the clock shows no minute at all. */
function missingBetween(before: number, after: number, livedDates: ReadonlySet<number>): number[] {
  if (after <= before + 1) return [];
  const missing = Array.from({ length: after - before - 1 }, (_, index) => before + 1 + index);
  return missing.filter((wall) => livedDates.has(Math.floor(wall / DAY_MINUTES)));
}

/** One per local date: the first that runs, else the first. */
function firstOfDates(all: readonly Expected[]): Expected[] {
  const dates = new Map<number, Expected>();
  for (const expected of all) {
    const date = Math.floor(expected.wall / DAY_MINUTES);
    const first = dates.get(date);
    if (first === undefined || (first.isLeftOut && !expected.isLeftOut)) dates.set(date, expected);
  }
  return [...dates.values()];
}

/** Instants in one line: comparing thousands of objects would take longer than finding them. */
const line = (found: readonly Pick<Expected, 'minute' | 'isLeftOut'>[]): string =>
  found.map(({ minute, isLeftOut }) => `${minute}${isLeftOut ? ' left out' : ''}`).join('\n');

function observe(schedule: Schedule, from: number, until: number): string {
  const range = { after: new Date(from * MINUTE_MS), until: new Date(until * MINUTE_MS) };
  const found = schedule.occurrences({ ...range, limit: 10_000 });
  expect(schedule.count(range)).toBe(found.length);
  return line(
    found.map(({ scheduledFor, skip }) => ({
      minute: scheduledFor.getTime() / MINUTE_MS,
      isLeftOut: skip === 'dst-gap',
    })),
  );
}

describe('Schedule beside a brute-force reading of wall clocks', () => {
  let windows: readonly Window[];

  beforeAll(() => {
    const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 50 === SEED % 50);
    const sampled = sampledChanges(zones).filter((_, index) => index % 20 === 0);
    windows = [...NOTORIOUS.map(([zone, iso]) => [zone, utcMinute(iso)] as const), ...sampled].map(([zone, change]) =>
      windowAround(zone, change),
    );
  });

  it('agrees on every instant, also backward, counted and per day', () => {
    const property = fc.property(fc.nat(), RULES, (pick, rules) => {
      const window = windows.at(pick % windows.length)!;
      const { timeZone } = window;
      const [from, until] = [window.start + MARGIN, window.start + window.walls.length - MARGIN];
      const isInside = ({ minute }: Expected): boolean => minute > from && minute <= until;
      const all = expectedIn(window, rules);
      const definition = { timeZone, dst: { gap: rules.gap, fold: rules.fold } };

      const schedule = parseSchedule(expressionOf(rules), definition);
      expect(observe(schedule, from, until)).toBe(line(all.filter(isInside)));
      const previous = (schedule.previous(new Date((until + 1) * MINUTE_MS - 1))?.getTime() ?? 0) / MINUTE_MS;
      expect(previous > from ? previous : undefined).toBe(all.findLast(isInside)?.minute);
      const daily = parseSchedule(expressionOf(rules), { ...definition, period: 'day' });
      expect(observe(daily, from, until)).toBe(line(firstOfDates(all).filter(isInside)));
    });
    fc.assert(property, { seed: SEED, numRuns: 300 });
  }, 20_000);

  it('labels instants by the wall clock and offset in force', () => {
    const property = fc.property(fc.nat(), RULES, (pick, rules) => {
      const window = windows.at(pick % windows.length)!;
      const schedule = parseSchedule(expressionOf(rules), { timeZone: window.timeZone, dst: { fold: 'both' } });
      const after = new Date((window.start + MARGIN) * MINUTE_MS);
      const until = new Date((window.start + window.walls.length - MARGIN) * MINUTE_MS);
      for (const { scheduledFor, period } of schedule.occurrences({ after, until, limit: 50 })) {
        const minute = scheduledFor.getTime() / MINUTE_MS;
        const wall = window.walls.at(minute - window.start)!;
        expect(period.slice(0, 16)).toBe(new Date(wall * MINUTE_MS).toISOString().slice(0, 16));
        expect(Date.parse(period)).toBe(scheduledFor.getTime());
      }
    });
    fc.assert(property, { seed: SEED, numRuns: 100 });
  });
});

describe('Schedule over all zones', () => {
  const ZONE = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const BASE = fc.date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  const RANDOM = fc.record({ timeZone: ZONE, base: BASE, rules: RULES });

  it('goes strictly forward, and backward through the same instants', () => {
    const property = fc.property(RANDOM, ({ timeZone, base, rules }) => {
      const schedule = parseSchedule(expressionOf(rules), { timeZone, dst: { gap: rules.gap, fold: rules.fold } });
      const forward: Date[] = [];
      for (let at: Date | null = base; at !== null && forward.length < 8;) {
        const next: Date | null = schedule.next(at);
        if (next === null) break;
        expect(next.getTime()).toBeGreaterThan(at.getTime());
        expect(schedule.matches(next)).toBe(true);
        forward.push(next);
        at = next;
      }
      for (let index = forward.length - 1; index > 0; index--) {
        expect(schedule.previous(forward.at(index)!)).toEqual(forward[index - 1]);
      }
      const before = schedule.previous(forward.at(0)!);
      expect(before === null || before <= base).toBe(true);
      expect(schedule.count({ after: base, until: forward.at(-1)! })).toBe(forward.length);
    });
    fc.assert(property, { seed: SEED, numRuns: 300 });
  }, 20_000);
});
