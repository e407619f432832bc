import { DAY_MS } from '../../time/spans.js';

/** What a field for date and time holds for an instant, by UTC: to the minute, or to the second where it is not a whole one. */
export const utcField = (at: number): string => new Date(at).toISOString().slice(0, at % 60_000 === 0 ? 16 : 19);

/** The instant of such a field as RFC 3339; null = it is empty or names none. */
export function utcInstant(field: string): string | null {
  const at = Date.parse(`${field}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** The day up to the present, to begin with. */
export const lastDay = (now: number): { readonly from: string; readonly to: string } => ({
  from: utcField(minute(now - DAY_MS)),
  to: utcField(minute(now)),
});

const minute = (at: number): number => at - (at % 60_000);
