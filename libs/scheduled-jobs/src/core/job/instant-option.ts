/** How an instant may be written, for messages. */
export const INSTANT_HINT = 'a Date or a time with an offset such as "2026-01-01T00:00:00Z"';

// Without an offset the process's own time zone would decide.
const WITH_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/** The instant that an option gives, as a Date or as RFC 3339 text with an offset; null = it gives none. */
export function readInstant(value: unknown): Date | null {
  const isText = typeof value === 'string' && WITH_OFFSET.test(value);
  const ms = value instanceof Date ? value.getTime() : isText ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms);
}
