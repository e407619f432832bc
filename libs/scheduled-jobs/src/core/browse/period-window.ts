import type { Occurrence } from '../calendar/schedule.js';
import type { OccurrenceSource } from '../schedule/versioned-schedule.js';

/** A stretch of nominal times: at or after `from`, before `to`. */
export interface PeriodWindow {
  readonly from: Date;
  readonly to: Date;
}

/** The first occurrences of a window, `limit` at most. */
export const firstOccurrences = (source: OccurrenceSource, window: PeriodWindow, limit: number): Occurrence[] =>
  source.occurrences({ after: justBefore(window.from), until: justBefore(window.to), limit });

/** The last occurrences of a window, in order, `limit` at most. */
export function lastOccurrences(source: OccurrenceSource, window: PeriodWindow, limit: number): Occurrence[] {
  let from = window.to;
  for (let steps = 0; steps < limit; steps += 1) {
    const previous = source.previous(from);
    if (previous === null || previous < window.from) break;
    from = previous;
  }
  return firstOccurrences(source, { from, to: window.to }, limit);
}

const justBefore = (at: Date): Date => new Date(at.getTime() - 1);
