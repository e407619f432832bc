import { DAY_SECONDS, dayOf } from './civil-date.js';
import { dateLabel } from './period-unit.js';

const padded = (value: number): string => String(value).padStart(2, '0');

/** The time of day that a wall clock shows, `HH:mm` or `HH:mm:ss`. */
export function clockText(wall: number, showsSeconds: boolean): string {
  const second = wall - dayOf(wall) * DAY_SECONDS;
  const parts = [Math.floor(second / 3_600), Math.floor(second / 60) % 60, second % 60];
  return parts
    .slice(0, showsSeconds ? 3 : 2)
    .map(padded)
    .join(':');
}

/** `±HH:mm`. Offsets before standard time have seconds; only then they are shown. */
export function offsetText(offset: number): string {
  return `${offset < 0 ? '-' : '+'}${clockText(Math.abs(offset), offset % 60 !== 0)}`;
}

/** `YYYY-MM-DDTHH:mm±HH:mm`, with seconds if asked for. */
export const wallText = (wall: number, offset: number, showsSeconds: boolean): string =>
  `${dateLabel(dayOf(wall))}T${clockText(wall, showsSeconds)}${offsetText(offset)}`;
