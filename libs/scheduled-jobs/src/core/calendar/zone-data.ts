import { offsetText } from './clock-text.js';
import { TimeZone } from './time-zone.js';

/** Reads what the wall clock of a zone shows at an instant, in seconds east of UTC; null = the zone is unknown. */
export type OffsetReader = (timeZone: string, at: Date) => number | null;

interface ZoneFact {
  readonly timeZone: string;
  readonly at: string;
  /** Minutes east of UTC. */
  readonly offsetMinutes: number;
}

/** Rules that governments changed since 2020, each at a moment at which older data gives another offset. */
const FACTS: readonly ZoneFact[] = [
  { timeZone: 'Europe/Volgograd', at: '2021-06-01T12:00:00Z', offsetMinutes: 180 },
  { timeZone: 'Asia/Amman', at: '2023-01-01T12:00:00Z', offsetMinutes: 180 },
  { timeZone: 'Asia/Damascus', at: '2023-01-01T12:00:00Z', offsetMinutes: 180 },
  { timeZone: 'America/Ciudad_Juarez', at: '2023-01-01T12:00:00Z', offsetMinutes: -420 },
  { timeZone: 'America/Mexico_City', at: '2023-04-02T15:00:00Z', offsetMinutes: -360 },
  { timeZone: 'Asia/Tehran', at: '2023-06-01T12:00:00Z', offsetMinutes: 210 },
  { timeZone: 'Asia/Almaty', at: '2024-06-01T12:00:00Z', offsetMinutes: 300 },
  { timeZone: 'America/Asuncion', at: '2025-06-01T12:00:00Z', offsetMinutes: -180 },
];

/**
 * What the zone data of this process gets wrong, judged by a few rules that are known to have changed; empty = it knows
 * them all.
 * @param offsetAt Default the process's own zone data.
 */
export function zoneDataProblems(offsetAt: OffsetReader = runningOffsetAt): readonly string[] {
  return FACTS.flatMap(({ timeZone, at, offsetMinutes }) => {
    const seconds = offsetAt(timeZone, new Date(at));
    if (seconds === offsetMinutes * 60) return [];
    const found = seconds === null ? 'but the zone is unknown' : `not ${offsetText(seconds)}`;
    return [`${timeZone} is at ${offsetText(offsetMinutes * 60)} at ${at}, ${found}`];
  });
}

/**
 * The warning to give at start when schedules may fire at wrong times; null = none is needed.
 * @param version Of the zone data, as the process names it.
 */
export function zoneDataWarning(version: string | undefined, offsetAt?: OffsetReader): string | null {
  const problems = zoneDataProblems(offsetAt);
  if (problems.length === 0) return null;
  const list = problems.map((problem) => `\n- ${problem}`).join('');
  return `The time zone data of this process (${version ?? 'of an unknown version'}) is out of date, so schedules in zones whose rules have changed fire at wrong times. Update Node.js, or the ICU data that it is given:${list}`;
}

function runningOffsetAt(timeZone: string, at: Date): number | null {
  try {
    return TimeZone.named(timeZone).spanAt(at.getTime() / 1_000).offset;
  } catch {
    return null;
  }
}
