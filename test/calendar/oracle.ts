import type { OracleSchedule } from './oracle-schedule.js';
import type { WallWindow } from './wall-window.js';

/**
 * The judge of the calendar: the written rules, applied by brute force to readings of the wall clock. It shares no code
 * and no idea with the calendar: it searches nothing, knows no rule of a zone and counts one by one.
 */

/** What happens around a change. `shift` is none of our policies: it adds the size of the gap to the missing time. */
export interface Policy {
  readonly gap: 'next-valid' | 'skip' | 'shift';
  readonly fold: 'first' | 'last' | 'both';
  /** Whose times are named ones: those of schedules without `*`, `?` and `/` in them, of all, or of none. */
  readonly named: 'by-text' | 'all' | 'none';
}

/** Ours, when a job says nothing. */
export const DEFAULT_POLICY: Policy = { gap: 'next-valid', fold: 'first', named: 'by-text' };

/** An occurrence that has to be. Seconds since 1970-01-01 00:00. */
export interface Expected {
  readonly at: number;
  /** What the schedule meant. */
  readonly wall: number;
  /** In force at the instant or, for a time left out, before the gap. */
  readonly offset: number;
  readonly isLeftOut: boolean;
}

/** Every occurrence in a window, in order. */
export function expectedIn(window: WallWindow, schedule: OracleSchedule, policy: Policy): Expected[] {
  const { walls, start } = window;
  const isNamed = policy.named === 'all' || (policy.named === 'by-text' && schedule.namesItsTimes);
  const runs = runsIn(window, schedule, isNamed ? policy.fold : 'both');
  const expected: Expected[] = [];
  for (let index = runs.indexOf(1); index >= 0; index = runs.indexOf(1, index + 1)) {
    const at = start + index * 60;
    const wall = (walls[index] as number) * 60;
    for (const second of schedule.seconds) {
      expected.push({ at: at + second, wall: wall + second, offset: wall - at, isLeftOut: false });
    }
  }
  const gapEnds = isNamed ? window.gapEnds : [];
  const madeUp = gapEnds.flatMap((index) => madeUpAt(index, window, schedule, policy.gap));
  return madeUp.length === 0 ? expected : inOrder([...madeUp, ...expected]);
}

/** 1 = the wall clock shows a minute that the schedule chooses, in the pass that runs. */
function runsIn(window: WallWindow, schedule: OracleSchedule, fold: Policy['fold']): Uint8Array {
  const { livedDays, dayIndex, minuteOfDay } = window;
  const isChosenDay = Uint8Array.from(livedDays, (day) => (schedule.isChosenDay(day) ? 1 : 0));
  const passes = fold === 'both' ? null : fold === 'first' ? window.isFirstPass : window.isLastPass;
  const runs = new Uint8Array(minuteOfDay.length);
  for (let index = 0; index < runs.length; index += 1) {
    const isChosen = schedule.minutes[minuteOfDay[index] as number] === 1;
    if (isChosen && isChosenDay[dayIndex[index] as number] === 1 && passes?.[index] !== 0) runs[index] = 1;
  }
  return runs;
}

/** What takes the place of the named times that the gap before a reading leaves out. */
function madeUpAt(index: number, window: WallWindow, schedule: OracleSchedule, gap: Policy['gap']): Expected[] {
  const at = window.start + index * 60;
  const missingFrom = (window.walls[index - 1] as number) + 1;
  const missingUntil = window.walls[index] as number;
  const times = missingTimes(missingFrom, missingUntil, { schedule, livedDays: window.livedDays });
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const offsetBefore = missingFrom * 60 - at;
  const offset = missingUntil * 60 - at;
  if (gap === 'skip') return [{ at, wall: first, offset: offsetBefore, isLeftOut: true }];
  if (gap === 'next-valid') return [{ at, wall: last, offset, isLeftOut: false }];
  return times.map((time) => ({ at: time - offsetBefore, wall: time, offset, isLeftOut: false }));
}

/** Chosen times that a gap leaves out, without those of days of which the clock shows no minute at all. */
function missingTimes(
  from: number,
  until: number,
  { schedule, livedDays }: { readonly schedule: OracleSchedule; readonly livedDays: readonly number[] },
): readonly number[] {
  const times: number[] = [];
  for (let minute = from; minute < until; minute += 1) {
    const day = Math.floor(minute / 1_440);
    if (schedule.minutes[minute - day * 1_440] !== 1 || !livedDays.includes(day) || !schedule.isChosenDay(day))
      continue;
    times.push(...schedule.seconds.map((second) => minute * 60 + second));
  }
  return times;
}

/** Of two at one instant the later in the list stays: a time that really exists wins over one that was moved. */
function inOrder(expected: readonly Expected[]): Expected[] {
  return [...new Map(expected.map((one) => [one.at, one])).values()].toSorted((a, b) => a.at - b.at);
}

/** One occurrence per local day, as under the period form `day`: the first that runs, else the first. */
export function firstOfDays(all: readonly Expected[]): Expected[] {
  const days = new Map<number, Expected>();
  for (const expected of all) {
    const day = Math.floor(expected.wall / 86_400);
    const first = days.get(day);
    if (first === undefined || (first.isLeftOut && !expected.isLeftOut)) days.set(day, expected);
  }
  return [...days.values()].toSorted((a, b) => a.at - b.at);
}

/** The label of an occurrence under the period form `auto`. */
export function expectedLabel(schedule: OracleSchedule, fold: Policy['fold'], expected: Expected): string {
  if (schedule.namesOneTime && fold !== 'both') return isoText(expected.wall).slice(0, 10);
  const wall = expected.isLeftOut ? expected.wall : expected.at + expected.offset;
  const showsSeconds = schedule.seconds.length > 1 || schedule.seconds[0] !== 0;
  return `${isoText(wall).slice(0, showsSeconds ? 19 : 16)}${offsetText(expected.offset)}`;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / 60;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${offset < 0 ? '-' : '+'}${hours < 10 ? '0' : ''}${hours}:${rest < 10 ? '0' : ''}${rest}`;
}

const isoText = (second: number): string => new Date(second * 1_000).toISOString();
