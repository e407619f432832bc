import type { TimeZone } from './time-zone.js';

/** A moment at which the clocks of a zone are put forward or back. */
export interface ClockChange {
  /** Seconds since 1970-01-01 00:00. */
  readonly at: number;
  /** Seconds east of UTC. */
  readonly offsetBefore: number;
  readonly offsetAfter: number;
}

/** The clock changes of a zone after one instant and before another, both in seconds since 1970-01-01 00:00. */
export function clockChanges(
  zone: Pick<TimeZone, 'spanAt'>,
  { after, before }: { readonly after: number; readonly before: number },
): readonly ClockChange[] {
  const changes: ClockChange[] = [];
  let span = zone.spanAt(after);
  while (span.until < before) {
    const next = zone.spanAt(span.until);
    if (next.offset !== span.offset) {
      changes.push({ at: next.from, offsetBefore: span.offset, offsetAfter: next.offset });
    }
    span = next;
  }
  return changes;
}
