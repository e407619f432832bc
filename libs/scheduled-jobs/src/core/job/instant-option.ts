import { parseInstant } from '../instant-text.js';

/** How an instant may be written, for messages. */
export const INSTANT_HINT = 'a Date or a time with an offset such as "2026-01-01T00:00:00Z"';

/**
 * The instant that an option gives, as a Date or as RFC 3339 text with an offset; null = it gives none. Without an offset the
 * process's own time zone would decide.
 */
export function readInstant(value: unknown): Date | null {
  if (typeof value === 'string') return parseInstant(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? new Date(value) : null;
}
