const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** A stretch of time, short and with two units at most: `850 ms`, `12.4 s`, `3 m 20 s`, `2 h 05 m`, `3 d 04 h`. */
export function durationText(ms: number): string {
  if (ms < 0) return `−${durationText(-ms)}`;
  if (ms < SECOND - 0.5) return `${Math.round(ms)} ms`;
  if (ms < MINUTE - 50) return `${(ms / SECOND).toFixed(1)} s`;
  const whole = Math.round(ms / SECOND) * SECOND;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} m ${two((whole % MINUTE) / SECOND)} s`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${two((whole % HOUR) / MINUTE)} m`;
  return `${Math.floor(whole / DAY)} d ${two((whole % DAY) / HOUR)} h`;
}

/** A stretch that somebody has chosen, without parts that are nothing: `30 s`, `15 m`, `90 d`. */
export const settingText = (ms: number): string => durationText(ms).replace(/ 00 [hms]$|\.0(?= s$)/, '');

/** How far away an instant is, in one unit: `in 5 min`, `3 h ago`, `just now`, and `now` for what is about to be. */
export function relativeText(ms: number): string {
  const distance = Math.abs(ms);
  if (distance < 5 * SECOND) return ms > 0 ? 'now' : 'just now';
  const text = inOneUnit(distance);
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

function inOneUnit(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}
