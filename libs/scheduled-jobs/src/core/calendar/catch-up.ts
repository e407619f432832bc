import { MINUTE_MS } from '../duration.js';
import { epochMs, justAfter } from './instant-range.js';
import type { Occurrence, Schedule } from './schedule.js';

/** Which missed occurrences are still executed, and how fast. */
export interface CatchUpPolicy {
  /** Late occurrences: none, the latest one, or all within window and limit. */
  readonly policy: 'none' | 'latest' | 'all';
  /** Only occurrences less than this before `now` are caught up, milliseconds. */
  readonly windowMs: number;
  /** At most so many late occurrences, the newest; at least 1. */
  readonly limit: number;
  /** An occurrence at most this late is on time and not subject to the policy, milliseconds. */
  readonly graceMs: number;
  /** Late occurrences become available at most this fast; null = at once. */
  readonly maxPerMinute: number | null;
}

/** What a plan is made from. */
export interface PlanInput {
  readonly schedule: Pick<Schedule, 'occurrences' | 'next' | 'previous' | 'count'>;
  /** Everything up to this instant is recorded. */
  readonly cursorAt: Date;
  /** The time that lateness is judged by; the same for all plans of one stretch. */
  readonly now: Date;
  readonly catchUp: CatchUpPolicy;
  /** Occurrences per plan, 1–10,000. */
  readonly batchSize: number;
}

/** An occurrence to insert. */
export interface PlannedOccurrence extends Occurrence {
  /** When it may start: `now`, or later when late occurrences are paced. */
  readonly runAt: Date;
}

/** Left-out occurrences, `from` and `to` being the first and the last of them. */
export interface LeftOutRange {
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
}

/** What a tick records for one schedule, in one transaction. */
export interface PeriodPlan {
  /** In order of `scheduledFor`. */
  readonly insert: readonly PlannedOccurrence[];
  readonly skippedRange: LeftOutRange | null;
  /** The last occurrence that this plan records, or the old cursor when none is due. */
  readonly cursorAt: Date;
}

/**
 * Decides about every occurrence between the cursor and `now`: insert it, or leave it out in one recorded range. What is
 * left out comes before all that is inserted, so plans made one after the other from the moved cursor, with one `now`,
 * add up to the plan without a bound; each paces its own occurrences from `now` on. Long stretches are counted, not walked.
 *
 * @throws RangeError for an invalid `now` or batch size. Errors of the definition's own functions pass through.
 */
export function planCatchUp(input: PlanInput): PeriodPlan {
  const { schedule, cursorAt, now, batchSize } = input;
  const keptAfter = lastLeftOut(input) ?? cursorAt;
  const skippedRange = leftOutUntil(keptAfter, input);
  const occurrences = keptAfter < now ? schedule.occurrences({ after: keptAfter, until: now, limit: batchSize }) : [];
  return {
    insert: paced(occurrences, input),
    skippedRange,
    cursorAt: occurrences.at(-1)?.scheduledFor ?? keptAfter,
  };
}

/** The newest occurrence after the cursor that is not inserted; null = all are. */
function lastLeftOut({ schedule, cursorAt, now, catchUp }: PlanInput): Date | null {
  const nowMs = epochMs(now, 'now');
  const windowStart = new Date(nowMs - catchUp.windowMs);
  const keptFrom = windowStart > cursorAt ? windowStart : cursorAt;
  // What is late by exactly the grace is on time.
  const lateUntil = new Date(nowMs - catchUp.graceMs - 1);
  const late = keptFrom < lateUntil ? schedule.count({ after: keptFrom, until: lateUntil }) : 0;
  const limit = keptLimit(catchUp);
  const newest = late > limit ? stepsBack(schedule, lateUntil, limit) : schedule.previous(justAfter(windowStart));
  return newest !== null && newest > cursorAt ? newest : null;
}

/** The occurrence that has so many between itself and an instant, that instant included. */
function stepsBack(schedule: PlanInput['schedule'], until: Date, steps: number): Date | null {
  let newest = schedule.previous(justAfter(until));
  for (let step = 0; step < steps && newest !== null; step++) newest = schedule.previous(newest);
  return newest;
}

function keptLimit({ policy, limit }: CatchUpPolicy): number {
  if (policy === 'none') return 0;
  return policy === 'latest' ? Math.min(1, limit) : limit;
}

/** All occurrences after the cursor, up to one of them, as a range; null = that one is not after the cursor. */
export function leftOutUntil(
  to: Date,
  { schedule, cursorAt }: Pick<PlanInput, 'schedule' | 'cursorAt'>,
): LeftOutRange | null {
  const from = to > cursorAt ? schedule.next(cursorAt) : null;
  if (from === null) return null;
  return { from, to, count: schedule.count({ after: cursorAt, until: to }) };
}

/** Gives each occurrence its run time. On-time ones are never held back, and what is not run takes no place. */
function paced(occurrences: readonly Occurrence[], { now, catchUp }: PlanInput): readonly PlannedOccurrence[] {
  const gapMs = catchUp.maxPerMinute === null ? 0 : Math.ceil(MINUTE_MS / catchUp.maxPerMinute);
  let places = 0;
  return occurrences.map((occurrence) => {
    const isLate = now.getTime() - occurrence.scheduledFor.getTime() > catchUp.graceMs;
    if (!isLate || occurrence.skip !== null) return { ...occurrence, runAt: now };
    return { ...occurrence, runAt: new Date(now.getTime() + gapMs * places++) };
  });
}
