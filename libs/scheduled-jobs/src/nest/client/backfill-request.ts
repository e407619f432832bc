import { MINUTE_MS } from '../../core/duration.js';
import { InvalidRequestError } from '../../core/errors.js';
import { INSTANT_HINT, readInstant } from '../../core/job/instant-option.js';
import type { JobDefinition, ScheduledJobDefinition } from '../../core/job/job-definition.js';
import { OptionReader, shown } from '../../core/job/option-reader.js';
import { BACKFILL_ORDERS, type Backfill, type BackfillOrder } from '../../core/ports/backfill-store.js';
import type { BackfillRange } from '../../core/schedule/backfill-plan.js';
import { readOperator, type OperatorOptions } from './operator-options.js';

const OPTIONS = ['from', 'to', 'order', 'dryRun', 'actor', 'reason'] as const;
const FIRST_FROM = new Date(Date.UTC(1900, 0, 1));
/** This process's clock may be ahead of the database's, which decides: a little later than now means now. */
const CLOCK_DIFFERENCE_MS = MINUTE_MS;

/** Which periods of a scheduled job are executed after the fact. */
export interface BackfillOptions extends OperatorOptions {
  /** The first instant, inclusive, from the year 1900 on: a Date, or text with an offset. */
  readonly from: Date | string;
  /** The last instant, inclusive, not in the future. */
  readonly to: Date | string;
  /** In which order the periods run. Default `oldest-first`. */
  readonly order?: BackfillOrder;
  /** Only tell what would be done. Default false. */
  readonly dryRun?: boolean;
}

/** What a backfill would do. `occurrences` = `toInsert` + `existing` + `pruned`. */
export interface BackfillPreview {
  readonly dryRun: true;
  /** Periods in the range. */
  readonly occurrences: number;
  /** The keys of the earliest and the latest of them; null = there is none. */
  readonly first: string | null;
  readonly last: string | null;
  readonly toInsert: number;
  /** Periods that have an execution already, in whatever state: a failed or canceled one, too. */
  readonly existing: number;
  /** Periods whose execution was removed by retention: they count as done. */
  readonly pruned: number;
}

/** A backfill that was written. */
export interface BackfillResult extends Backfill {
  readonly dryRun: false;
  /** The keys of the earliest and the latest period of the range; null = there is none. */
  readonly first: string | null;
  readonly last: string | null;
}

/** A backfill whose options can work. */
export interface BackfillRequest extends BackfillRange {
  readonly isDryRun: boolean;
  readonly reason: string;
}

/**
 * Reads what somebody wants to be backfilled.
 * @param now The database's time.
 * @throws InvalidRequestError with every problem.
 */
export function backfillRequest(job: ScheduledJobDefinition, options: BackfillOptions, now: Date): BackfillRequest {
  const problems: string[] = [];
  if (job.disabled) problems.push('the job is disabled, so nothing is inserted for it');
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(OPTIONS);
  const from = instantOption(reader, 'from');
  const given = instantOption(reader, 'to');
  const to = given === null || given <= now ? given : new Date(Math.min(given.getTime(), now.getTime()));
  if (given !== null && given.getTime() > now.getTime() + CLOCK_DIFFERENCE_MS) {
    reader.refuse('to', `must not be in the future, which begins at ${now.toISOString()}; got ${given.toISOString()}`);
  } else if (from !== null && to !== null && from > to) {
    reader.refuse('to', `must not be before "from" (${from.toISOString()}), got ${to.toISOString()}`);
  }
  if (from !== null && from < FIRST_FROM) {
    reader.refuse('from', `must be in the year 1900 or later, got ${from.toISOString()}`);
  }
  const order = reader.oneOf('order', 'oldest-first', BACKFILL_ORDERS);
  const isDryRun = reader.boolean('dryRun', false);
  const { actor, reason } = readOperator(reader);
  if (from === null || to === null || problems.length > 0) throw refused(job, problems);
  return { from, to, order, isDryRun, actor, reason };
}

/** @throws InvalidRequestError for a background job, which has no periods. */
export function scheduledJobOf(job: JobDefinition): ScheduledJobDefinition {
  const { schedule } = job;
  if (schedule !== null) return { ...job, schedule };
  throw refused(job, ['it is a background job, which has no periods. Use enqueue()']);
}

/** A backfill of this job that cannot be done. */
export const refused = ({ name }: Pick<JobDefinition, 'name'>, problems: readonly string[]): InvalidRequestError =>
  new InvalidRequestError(`backfill "${name}"`, problems);

function instantOption(reader: OptionReader, name: 'from' | 'to'): Date | null {
  const value = reader.raw(name);
  const instant = readInstant(value);
  if (instant === null) reader.refuse(name, `must be ${INSTANT_HINT}, got ${shown(value)}`);
  return instant;
}
