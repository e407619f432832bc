import { DAY_MS } from '../../core/duration.js';
import { InvalidQueryError } from '../../core/errors.js';
import { instantOf } from './query-rules.js';

const DEFAULT_DAYS = 7;
/** Two leap years. */
const MAX_DAYS = 732;

/**
 * The window that checked texts stand for: by default the last seven days up to now.
 * @throws InvalidQueryError when it is empty, or longer than 732 days.
 */
export function timeWindow(
  { from, to }: { readonly from?: string; readonly to?: string },
  now: Date,
): { readonly from: Date; readonly to: Date } {
  const end = to === undefined ? now : instantOf(to);
  const start = from === undefined ? new Date(end.getTime() - DEFAULT_DAYS * DAY_MS) : instantOf(from);
  if (start >= end) throw new InvalidQueryError(['from must be before to, which is now when it is not given']);
  if (end.getTime() - start.getTime() > MAX_DAYS * DAY_MS) {
    throw new InvalidQueryError([`from and to must be at most ${MAX_DAYS} days apart`]);
  }
  return { from: start, to: end };
}
