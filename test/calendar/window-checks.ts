import { parseSchedule, type Occurrence, type Schedule } from '../../libs/scheduled-jobs/src/core/calendar/schedule.js';
import { ExpectedOccurrences, type Stretch } from './expected-occurrences.js';
import type { OracleSchedule } from './oracle-schedule.js';
import { expectedIn, expectedLabel, firstOfDays, type Expected, type Policy } from './oracle.js';
import type { OffsetChange } from './wall-clock.js';
import type { WallWindow } from './wall-window.js';

/** An expression and what the clock of its zone does meanwhile. */
export interface WindowCase {
  readonly change: OffsetChange;
  readonly window: WallWindow;
  readonly expression: string;
  /** The expression as the oracle reads it. */
  readonly read: OracleSchedule;
  /** Whether `matches` is asked about each minute around the change; else about every fifth. */
  readonly everyMinute: boolean;
  readonly policy: Policy & { readonly gap: 'next-valid' | 'skip'; readonly named: 'by-text' };
}

/** What was asked and found. */
export interface Verdict {
  readonly checks: number;
  /** Where the calendar and the readings differ, one sentence each; the first few. */
  readonly problems: readonly string[];
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
/** More occurrences than this in three days, and only the hours around the change are listed. */
const DENSE = 200;
/** As many occurrences are listed at most. */
const LIST_LIMIT = 2_000;
const MAX_PROBLEMS = 3;

/** Asks the calendar every question about a case and compares the answers with the readings. */
export function checkWindow(asked: WindowCase): Verdict {
  return new WindowCheck(asked).verdict();
}

class WindowCheck {
  private checks = 0;
  private readonly problems: string[] = [];
  private readonly schedule: Schedule;
  private readonly expected: ExpectedOccurrences;
  /** What is listed and counted. */
  private readonly stretch: Stretch;
  /** How long the clock needs for the missing or the repeated time. */
  private readonly size: number;

  constructor(private readonly asked: WindowCase) {
    const { change, window, read, policy } = asked;
    this.schedule = this.parse({});
    this.expected = new ExpectedOccurrences(expectedIn(window, read, policy));
    this.size = Math.abs(change.after - change.before);
    const isDense = this.expected.all.length > DENSE;
    this.stretch = isDense ? beside(change.at, this.size + HOUR) : stretchOf(window);
  }

  verdict(): Verdict {
    this.checkOccurrences();
    this.checkCounts();
    this.checkNeighbours();
    this.checkMatches();
    if (!this.asked.read.namesOneTime) this.checkDays();
    return { checks: this.checks, problems: this.problems };
  }

  /** Instants, marks, labels and intervals of the whole stretch, and again from the very change on. */
  private checkOccurrences(): void {
    const found = this.list(this.stretch, LIST_LIMIT);
    this.compare(found, this.expected.within(this.stretch).slice(0, LIST_LIMIT));
    this.same('the number of labels', new Set(found.map(({ period }) => period)).size, found.length);
    const fromChange = { after: this.asked.change.at - 1, until: this.stretch.until };
    this.compare(this.list(fromChange, 3), this.expected.within(fromChange).slice(0, 3));
  }

  private compare(found: readonly Occurrence[], expected: readonly Expected[]): void {
    const { read, policy } = this.asked;
    this.same('the number of occurrences', found.length, expected.length);
    found.forEach((occurrence, index) => {
      const one = expected[index];
      if (one === undefined) return;
      const start = this.expected.before(one.at)?.at ?? this.schedule.previous(dateOf(one.at));
      const period = expectedLabel(read, policy.fold, one);
      const wanted = { at: one.at, period, start, skip: one.isLeftOut ? 'dst-gap' : null };
      if (!isLike(occurrence, wanted))
        this.differs('an occurrence', JSON.stringify(occurrence), JSON.stringify(wanted));
      this.checks += 1;
    });
  }

  private checkCounts(): void {
    const { at } = this.asked.change;
    const { after, until } = this.stretch;
    for (const part of [this.stretch, { after, until: at }, { after: at - 1, until }, { after: at, until }]) {
      const count = this.schedule.count({ after: dateOf(part.after), until: dateOf(part.until) });
      this.same('the count', count, this.expected.within(part).length, part.after);
    }
  }

  /** The next and the previous occurrence, asked at the change, in it, beside it and around occurrences near it. */
  private checkNeighbours(): void {
    for (const start of this.starts()) {
      const [next, previous] = [this.expected.after(start), this.expected.before(start)];
      if (next !== undefined) {
        this.same('next', this.schedule.next(dateOf(start)), dateOf(next.at), start);
      }
      if (previous !== undefined) {
        this.same('previous', this.schedule.previous(dateOf(start)), dateOf(previous.at), start);
      }
    }
  }

  private starts(): readonly number[] {
    const { at } = this.asked.change;
    const marks = [at - this.size, at, at + this.size];
    const near = this.expected.within(beside(at, this.size + HOUR));
    const few = [...near.slice(0, 4), ...near.slice(-4)].map((one) => one.at);
    const marked = [...marks, ...few].flatMap((mark) => [mark - 1, mark - 0.001, mark, mark + 0.001]);
    return [this.stretch.after, ...marked, this.stretch.until];
  }

  /** The minutes from shortly before the missing or repeated time to shortly after it, and the seconds beside matches. */
  private checkMatches(): void {
    const { at } = this.asked.change;
    const near = beside(at, this.size + 10 * MINUTE);
    const step = this.asked.everyMinute ? MINUTE : 5 * MINUTE;
    for (let minute = near.after; minute <= near.until; minute += step) this.checkMatch(minute);
    for (const one of this.expected.within(near).slice(0, 10)) {
      for (const second of [one.at - 1, one.at, one.at + 0.5, one.at + 1]) this.checkMatch(second);
    }
  }

  private checkMatch(second: number): void {
    this.checks += 1;
    const [found, expected] = [this.schedule.matches(dateOf(second)), this.expected.has(second)];
    if (found !== expected) this.differs(`matches at ${isoOf(second)}`, `${found}`, `${expected}`);
  }

  /** One occurrence per local day under the period form `day`. */
  private checkDays(): void {
    const { window } = this.asked;
    // the first day has begun before the first reading
    const [firstDay = 0] = window.livedDays;
    const days = new ExpectedOccurrences(
      firstOfDays(this.expected.all).filter(({ wall }) => wall >= (firstDay + 1) * DAY),
    );
    const stretch = { after: window.start + DAY, until: stretchOf(window).until };
    const found = this.parse({ period: 'day' }).occurrences({ ...rangeOf(stretch), limit: 10 });
    const text = (at: number, label: string): string => `${isoOf(at)} ${label}`;
    this.same(
      'the days',
      found.map(({ scheduledFor, period }) => text(scheduledFor.getTime() / 1_000, period)).join(', '),
      days
        .within(stretch)
        .map(({ at, wall }) => text(at, isoOf(wall).slice(0, 10)))
        .join(', '),
    );
  }

  private parse(form: { readonly period?: 'day' }): Schedule {
    const { window, expression, policy } = this.asked;
    const dst = { gap: policy.gap, fold: policy.fold };
    return parseSchedule(expression, { timeZone: window.timeZone, dst, ...form });
  }

  private list(stretch: Stretch, limit: number): Occurrence[] {
    return this.schedule.occurrences({ ...rangeOf(stretch), limit });
  }

  private same(what: string, found: Answer | null, expected: Answer, from = this.stretch.after): void {
    this.checks += 1;
    if (found !== null && found.valueOf() === expected.valueOf()) return;
    this.differs(`${what} from ${isoOf(from)}`, textOf(found), textOf(expected));
  }

  private differs(what: string, found: string, expected: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const { window, expression, policy } = this.asked;
    const where = `"${expression}" in ${window.timeZone}, gap ${policy.gap}, fold ${policy.fold}`;
    this.problems.push(`${where}, change at ${isoOf(this.asked.change.at)}: ${what} is ${found}, not ${expected}`);
  }
}

type Answer = number | string | Date;

interface Wanted {
  readonly at: number;
  readonly period: string;
  readonly start: number | Date | null;
  readonly skip: string | null;
}

function isLike({ scheduledFor, period, interval, skip }: Occurrence, wanted: Wanted): boolean {
  const start = typeof wanted.start === 'number' ? wanted.start * 1_000 : wanted.start?.getTime();
  return (
    scheduledFor.getTime() === wanted.at * 1_000 &&
    interval.end.getTime() === wanted.at * 1_000 &&
    interval.start.getTime() === start &&
    period === wanted.period &&
    skip === wanted.skip
  );
}

const beside = (at: number, reach: number): Stretch => ({ after: at - reach, until: at + reach });
const stretchOf = ({ start, walls }: WallWindow): Stretch => ({
  after: start - 1,
  until: start + walls.length * MINUTE - 1,
});

const dateOf = (second: number): Date => new Date(Math.round(second * 1_000));
const isoOf = (second: number): string => dateOf(second).toISOString();
const textOf = (value: Answer | null): string => (value instanceof Date ? value.toISOString() : `${value}`);
const rangeOf = ({ after, until }: Stretch): { after: Date; until: Date } => ({
  after: dateOf(after),
  until: dateOf(until),
});
