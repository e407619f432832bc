import type { JSX } from 'preact';
import { now } from './clock.js';
import { relativeText } from './duration-text.js';
import { instantText, MONTHS } from './instant-text.js';
import { zoneFor } from './zone.js';

interface InstantProps {
  /** RFC 3339; null = there is none. */
  readonly at: string | null;
  /** Whose zone it is shown in when people look at the jobs' zones. */
  readonly job?: string | null;
}

/** An instant on the chosen clock, which it names: `14 Aug 14:03:22 UTC`; the whole of it on demand. */
export function Instant({ at, job = null }: InstantProps): JSX.Element {
  if (at === null) return <span class="absent">–</span>;
  const zone = zoneFor(job);
  const { date, time, offset } = instantText(Date.parse(at), zone);
  return (
    <time dateTime={at} title={`${fullText(at, zone)} · ${relativeText(Date.parse(at) - now.value)}`}>
      {dayText(date, new Date(now.value).getUTCFullYear())} {time} <span class="zone">{offset}</span>
    </time>
  );
}

/** How far away an instant is; when it is, on demand. */
export function Ago({ at, job = null }: InstantProps): JSX.Element {
  if (at === null) return <span class="absent">–</span>;
  return (
    <time dateTime={at} title={fullText(at, zoneFor(job))}>
      {relativeText(Date.parse(at) - now.value)}
    </time>
  );
}

/** `14 Aug`, and the year when it is not the present one. */
function dayText(date: string, presentYear: number): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const text = `${day} ${MONTHS[Number(month) - 1] ?? month}`;
  return Number(year) === presentYear ? text : `${text} ${year}`;
}

/** The whole of an instant: `2026-08-14 14:03:22 +08:00 (Asia/Shanghai)`. The zone must be known. */
export function fullText(at: string, zone: string): string {
  const { date, time, offset } = instantText(Date.parse(at), zone);
  return `${date} ${time} ${offset}${zone === 'UTC' ? '' : ` (${zone})`}`;
}
