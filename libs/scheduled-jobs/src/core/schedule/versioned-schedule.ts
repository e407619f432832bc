import { justAfter } from '../calendar/instant-range.js';
import type { Occurrence, OccurrenceRange, Schedule } from '../calendar/schedule.js';

/** What can be asked of the occurrences of a schedule. */
export type OccurrenceSource = Pick<Schedule, 'occurrences' | 'next' | 'previous' | 'count'>;

/** A stretch of time in which one schedule is in force. */
export interface Stretch {
  readonly schedule: OccurrenceSource;
  /** Exclusive: what happens at this very instant is still the older schedule's. Null = since ever. */
  readonly after: Date | null;
  /** Inclusive; null = for ever. */
  readonly until: Date | null;
}

const earlier = (a: Date, b: Date | null): Date => (b !== null && b < a ? b : a);
const later = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a);

/**
 * The occurrences of a schedule whose definition changed: each stretch by the version in force in it, so that a change
 * neither loses nor invents one. Intervals touch across the changes.
 */
export class VersionedSchedule implements OccurrenceSource {
  /** @param stretches In order, each beginning where the one before ends. */
  constructor(private readonly stretches: readonly Stretch[]) {}

  occurrences({ after, until, limit }: Parameters<OccurrenceSource['occurrences']>[0]): Occurrence[] {
    const found: Occurrence[] = [];
    for (const stretch of this.stretches) {
      const rest = limit - found.length;
      const from = later(after, stretch.after);
      const to = until === undefined ? stretch.until : earlier(until, stretch.until);
      if (rest <= 0 || (to !== null && to <= from)) continue;
      const range = { after: from, limit: rest, ...(to === null ? {} : { until: to }) };
      found.push(...stretch.schedule.occurrences(range).map((occurrence) => this.touching(occurrence, stretch)));
    }
    return found;
  }

  next(after: Date): Date | null {
    for (const stretch of this.stretches) {
      const next = stretch.schedule.next(later(after, stretch.after));
      if (next !== null && (stretch.until === null || next <= stretch.until)) return next;
    }
    return null;
  }

  previous(before: Date): Date | null {
    for (const stretch of this.stretches.toReversed()) {
      const previous = stretch.schedule.previous(
        earlier(before, stretch.until === null ? null : justAfter(stretch.until)),
      );
      if (previous !== null && (stretch.after === null || previous > stretch.after)) return previous;
    }
    return null;
  }

  count({ after, until }: OccurrenceRange): number {
    return this.stretches.reduce((sum, stretch) => {
      const range = { after: later(after, stretch.after), until: earlier(until, stretch.until) };
      return range.until <= range.after ? sum : sum + stretch.schedule.count(range);
    }, 0);
  }

  /** The first interval of a version begins where the last one of the version before ended. */
  private touching(occurrence: Occurrence, { after }: Stretch): Occurrence {
    const { start, end } = occurrence.interval;
    if (after === null || start > after) return occurrence;
    return { ...occurrence, interval: { start: this.previous(occurrence.scheduledFor) ?? start, end } };
  }
}
