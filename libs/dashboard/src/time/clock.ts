import { effect, signal } from '@preact/signals';
import { isVisible } from '../api/presence.js';

const SECOND = 1_000;
/** The `Date` of an answer has no parts of a second: less than this says nothing. */
const LEAST_SKEW_MS = 2 * SECOND;

let skewMs = 0;

/** Milliseconds since 1970 by the server's clock, told anew each second while somebody sees the page. */
export const now = signal(Date.now());

/** Times are shown against the server's clock, for the browser's own may be wrong. */
export function noteServerTime(date: string | null): void {
  const serverMs = date === null ? Number.NaN : Date.parse(date) + SECOND / 2;
  if (Number.isNaN(serverMs)) return;
  const measured = serverMs - Date.now();
  skewMs = Math.abs(measured) < LEAST_SKEW_MS ? 0 : measured;
}

function tick(): void {
  now.value = Date.now() + skewMs;
}

effect(() => {
  if (!isVisible.value) return undefined;
  tick();
  const timer = setInterval(tick, SECOND);
  return () => clearInterval(timer);
});
