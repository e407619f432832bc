/** A span of time as text: digits and a unit. A day is 24 hours, whatever the calendar says. */
export type Duration = `${number}ms` | `${number}s` | `${number}m` | `${number}h` | `${number}d`;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A number of milliseconds as a duration in the largest unit that fits, such as `90s` or `1d`. */
export function durationText(ms: number): string {
  const fitting = Object.entries(UNIT_MS).findLast(([, unitMs]) => ms % unitMs === 0 && ms >= unitMs);
  const [unit, unitMs] = fitting ?? ['ms', 1];
  return `${ms / unitMs}${unit}`;
}

/**
 * Reads a duration such as `30s` in milliseconds; null when the text is not one or is longer than a hundred years.
 */
export function parseDuration(text: unknown): number | null {
  const match = typeof text === 'string' ? /^(\d+)(ms|s|m|h|d)$/.exec(text) : null;
  if (match === null) return null;
  const ms = Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? Number.NaN);
  return ms <= 36_500 * DAY_MS ? ms : null;
}
