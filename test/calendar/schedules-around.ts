import { RandomExpressions } from './random-expressions.js';
import type { OffsetChange } from './wall-clock.js';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** The wall times that a change leaves out or repeats: `low` is the first of them, `high` the first after them. */
interface Stretch {
  readonly low: number;
  readonly high: number;
}

/** How much is made of a change: the part (0–1) of the lists, intervals and day fields that are taken, at random. */
export interface Choice {
  readonly random: () => number;
  readonly share: number;
}

/**
 * Expressions made for one change of offset: each single time of day on the edges of what it leaves out or repeats, some
 * lists, ranges, intervals and day fields across it, and some that know nothing of it but its hour.
 */
export function expressionsAround(change: OffsetChange, { random, share }: Choice): readonly string[] {
  const stretch: Stretch = {
    low: change.at + Math.min(change.before, change.after),
    high: change.at + Math.max(change.before, change.after),
  };
  const some = (all: readonly string[]): readonly string[] => all.filter(() => random() < share);
  const times = [...edges(stretch), ...anyTimes(stretch, random)].map(timeText);
  const everyDay = [...times, ...some(listsAcross(stretch)), ...some(intervalsAcross(stretch))];
  const others = [...withDayFields(stretch, random), ...unaware(stretch, random)];
  return [...new Set([...everyDay.map((text) => `${text} * * *`), ...some(others)])];
}

/** Both ends of the stretch to the second and to the minute, from inside and outside; both ends of a day. */
function edges({ low, high }: Stretch): readonly number[] {
  const atLow = [low - MINUTE, low - 1, low, low + 1, low + MINUTE];
  const atHigh = [high - MINUTE, high - 1, high, high + 1, high + MINUTE];
  return [...atLow, ...atHigh, Math.floor((low + high) / 2), 0, DAY - 1];
}

const anyTimes = ({ low, high }: Stretch, random: () => number): readonly number[] => [
  low + Math.floor((random() * (high - low)) / MINUTE) * MINUTE,
  low + Math.floor(random() * (high - low)),
  Math.floor(random() * 1_440) * MINUTE,
];

function listsAcross({ low, high }: Stretch): readonly string[] {
  const hours = [hourOf(low - HOUR), hourOf(low), hourOf(high), hourOf(high + HOUR)];
  const list = [...new Set(hours)].join(',');
  return [
    `0,30 ${list}`,
    `15,45 ${rangeOrList(hourOf(low - 1), hourOf(high))}`,
    // the first one missing, a later one not
    `${minuteOf(low + HOUR / 2)} ${[...new Set([hourOf(low), hourOf(high), hourOf(high + HOUR)])].join(',')}`,
    `0-59 ${hourOf(low)}`,
    `${minuteOf(low)}-59 ${rangeOrList(hourOf(low), hourOf(high))}`,
    `0-${minuteOf(high)} ${list}`,
    `${[...new Set([minuteOf(low), minuteOf(high - 1)])].join(',')} 0-23`,
    '0,59 0,23',
    `0,59 ${minuteOf(low)} ${list}`,
    `30-59 ${minuteOf(high - 1)} ${hourOf(high - 1)}`,
    `0,59 0,59 ${list}`,
  ];
}

function intervalsAcross({ low, high }: Stretch): readonly string[] {
  return [
    '* *',
    '*/7 *',
    '*/15 *',
    '*/30 *',
    '5/20 *',
    '0 *',
    `${minuteOf(low)} *`,
    '0 */2',
    `${minuteOf(high)} ${hourOf(low) % 3}/3`,
    `* ${hourOf(low)}`,
    `*/15 ${hourOf(high - 1)}`,
    `*/10 ${[...new Set([hourOf(low), hourOf(high)])].join(',')}`,
    `*/20 ${minuteOf(low)} *`,
    `* ${minuteOf(high - 1)} ${hourOf(high - 1)}`,
    `*/30 * ${hourOf(low)}`,
  ];
}

function unaware({ low }: Stretch, random: () => number): readonly string[] {
  const hour = hourOf(low);
  const expressions = new RandomExpressions(random);
  const hours = { min: Math.max(0, hour - 1), max: Math.min(23, hour + 2) };
  return Array.from({ length: 6 }, () => expressions.next(hours)).filter((text) => !isCrowd(text));
}

/** Many seconds of many minutes: thousands of occurrences that tell nothing new. */
const isCrowd = (expression: string): boolean => /^\S*[-*/]\S* \S*[-*/]\S*( \S+){4}$/.test(expression);

/** Days chosen in every way of writing them, most of them the day of the change or a neighbour. */
function withDayFields({ low, high }: Stretch, random: () => number): readonly string[] {
  const times = [
    timeText(low),
    timeText(high - MINUTE),
    timeText(high),
    '0 0',
    '*/30 *',
    `0 ${hourOf(low)}-${hourOf(low)}`,
  ];
  return dayFieldsOf(low, high).map((days) => `${times[Math.floor(random() * times.length)] ?? '0 0'} ${days}`);
}

function dayFieldsOf(low: number, high: number): readonly string[] {
  const [first, second] = [new Date(low * 1_000), new Date(high * 1_000)];
  const [date, weekday, month] = [first.getUTCDate(), first.getUTCDay(), first.getUTCMonth() + 1];
  return [
    `${date} * *`,
    `${[...new Set([date, second.getUTCDate()])].join(',')} * ?`,
    `*/2 * ?`,
    `L * *`,
    `LW ${month} *`,
    `${date}W * *`,
    `${date},LW * ${(weekday + 1) % 7}`,
    `? * ${weekday}`,
    `* * ${weekday}#${Math.ceil(date / 7)}`,
    `* * ${weekday}L`,
    `* ${month} ${(weekday + 6) % 7},${weekday}`,
    `* ${(month % 12) + 1} *`,
  ];
}

/** `minute hour`, or `second minute hour` when the second is not 0. */
function timeText(wall: number): string {
  const ofDay = ((wall % DAY) + DAY) % DAY;
  return `${ofDay % MINUTE === 0 ? '' : `${ofDay % MINUTE} `}${minuteOf(wall)} ${hourOf(wall)}`;
}

const minuteOf = (wall: number): number => new Date(wall * 1_000).getUTCMinutes();
const hourOf = (wall: number): number => new Date(wall * 1_000).getUTCHours();
const rangeOrList = (from: number, to: number): string =>
  from < to ? `${from}-${to}` : [...new Set([from, to])].join(',');
