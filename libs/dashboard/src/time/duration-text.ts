import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './spans.js';

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** A stretch of time, short and with two units at most: `850 ms`, `12.4 s`, `3 m 20 s`, `2 h 05 m`, `3 d 04 h`. */
export function durationText(ms: number): string {
  if (ms < 0) return `−${durationText(-ms)}`;
  if (ms < SECOND_MS - 0.5) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_MS - 50) return `${(ms / SECOND_MS).toFixed(1)} s`;
  const whole = Math.round(ms / SECOND_MS) * SECOND_MS;
  if (whole < HOUR_MS) return `${Math.floor(whole / MINUTE_MS)} m ${two((whole % MINUTE_MS) / SECOND_MS)} s`;
  if (whole < DAY_MS) return `${Math.floor(whole / HOUR_MS)} h ${two((whole % HOUR_MS) / MINUTE_MS)} m`;
  return `${Math.floor(whole / DAY_MS)} d ${two((whole % DAY_MS) / HOUR_MS)} h`;
}

/** A stretch that somebody has chosen, without parts that are nothing: `30 s`, `15 m`, `90 d`. */
export const settingText = (ms: number): string => durationText(ms).replace(/ 00 [hms]$|\.0(?= s$)/, '');

/** How far away an instant is, in one unit: `in 5 min`, `3 h ago`, `just now`, and `now` for what is about to be. */
export function relativeText(ms: number): string {
  const distance = Math.abs(ms);
  if (distance < 5 * SECOND_MS) return ms > 0 ? 'now' : 'just now';
  const text = inOneUnit(distance);
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

function inOneUnit(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}
