import type { OffsetChange, WallClock } from './wall-clock.js';

/** A stretch of time, each of its minutes as the wall clock shows it. */
export interface WallWindow {
  readonly timeZone: string;
  /** The instant of the first reading, in seconds. */
  readonly start: number;
  /** The wall minute (since 1970-01-01 00:00) at the beginning of each real minute. */
  readonly walls: Int32Array;
  /** 1 = the clock shows this minute for the first time, and for the last time. */
  readonly isFirstPass: Uint8Array;
  readonly isLastPass: Uint8Array;
  /** The days (since 1970-01-01) of which the clock shows any minute, in order of their first. */
  readonly livedDays: readonly number[];
  /** The reading as an index of `livedDays`, and as a minute of the day. */
  readonly dayIndex: Uint16Array;
  readonly minuteOfDay: Uint16Array;
  /** The readings (as indices) that jump over something. */
  readonly gapEnds: readonly number[];
}

const MINUTE = 60;
const DAY_MINUTES = 1_440;
const NEAR_MINUTES = 4 * 60;
const FAR_MINUTES = 36 * 60;
const FAR_STEP_MINUTES = 15;

/** A day and a half before and after a change; every minute is read in the four hours beside it. */
export function windowAround(clock: WallClock, { at, before, after }: OffsetChange): WallWindow {
  if (at % MINUTE !== 0) throw new RangeError(`The change at ${at} is inside a minute.`);
  const size = Math.abs(after - before);
  const far = FAR_MINUTES * MINUTE + size;
  const near = NEAR_MINUTES * MINUTE + size;
  return readWindow(clock, { from: at - far, until: at + far, isNear: (instant) => Math.abs(instant - at) <= near });
}

/** What is read: whole minutes, in seconds, `until` exclusive. */
interface Reading {
  readonly from: number;
  readonly until: number;
  /** Where every minute is read. */
  readonly isNear: (instant: number) => boolean;
}

/**
 * Reads the clock every 15 minutes, and every minute where a reading is near. Between two readings that are as far apart
 * on the wall as in reality lies what they say; where they are not, every minute is read there too.
 */
export function readWindow(clock: WallClock, { from, until, isNear }: Reading): WallWindow {
  const read = (index: number): number => Math.floor(clock.at(from + index * MINUTE) / MINUTE);
  const walls = new Int32Array((until - from) / MINUTE);
  walls[0] = read(0);
  for (let index = 0; index < walls.length - 1;) {
    const step = isNear(from + index * MINUTE) ? 1 : FAR_STEP_MINUTES;
    const next = Math.min(index + step, walls.length - 1);
    readUntil(next, index, { walls, read });
    index = next;
  }
  return {
    timeZone: clock.timeZone,
    start: from,
    walls,
    ...passesOf(walls),
    ...daysOf(walls),
    gapEnds: gapEndsIn(walls),
  };
}

function readUntil(
  next: number,
  index: number,
  { walls, read }: { readonly walls: Int32Array; readonly read: (index: number) => number },
): void {
  const first = walls[index] as number;
  walls[next] = read(next);
  const isRegular = walls[next] === first + next - index;
  for (let minute = index + 1; minute < next; minute += 1) {
    walls[minute] = isRegular ? first + minute - index : read(minute);
  }
}

function passesOf(walls: Int32Array): Pick<WallWindow, 'isFirstPass' | 'isLastPass'> {
  const isFirstPass = new Uint8Array(walls.length).fill(1);
  const isLastPass = new Uint8Array(walls.length).fill(1);
  const shownAt = new Map<number, number>();
  walls.forEach((wall, index) => {
    const before = shownAt.get(wall);
    if (before !== undefined) {
      isFirstPass[index] = 0;
      isLastPass[before] = 0;
    }
    shownAt.set(wall, index);
  });
  return { isFirstPass, isLastPass };
}

function daysOf(walls: Int32Array): Pick<WallWindow, 'livedDays' | 'dayIndex' | 'minuteOfDay'> {
  const indexOf = new Map<number, number>();
  const dayIndex = Uint16Array.from(walls, (wall) => {
    const day = Math.floor(wall / DAY_MINUTES);
    if (!indexOf.has(day)) indexOf.set(day, indexOf.size);
    return indexOf.get(day) as number;
  });
  const minuteOfDay = Uint16Array.from(walls, (wall) => wall - Math.floor(wall / DAY_MINUTES) * DAY_MINUTES);
  return { livedDays: [...indexOf.keys()], dayIndex, minuteOfDay };
}

function gapEndsIn(walls: Int32Array): readonly number[] {
  const found: number[] = [];
  for (let index = 1; index < walls.length; index += 1) {
    if ((walls[index] as number) > (walls[index - 1] as number) + 1) found.push(index);
  }
  return found;
}
