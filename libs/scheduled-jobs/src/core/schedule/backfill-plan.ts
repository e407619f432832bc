import type { Occurrence } from '../calendar/schedule.js';
import { DAY_MS } from '../duration.js';
import { InvalidRequestError } from '../errors.js';
import type { NewExecution } from '../execution/new-execution.js';
import { concurrencyKeyOf, ownGroupOf } from '../job/concurrency-key.js';
import type { ScheduledJobDefinition } from '../job/job-definition.js';
import type { BackfillOrder } from '../ports/backfill-store.js';
import type { ScheduleRecord } from '../ports/period-records.js';
import { periodExecution } from './period-execution.js';
import { lacksFunctions } from './stored-definition.js';
import { versionStretches } from './version-stretches.js';
import { VersionedSchedule } from './versioned-schedule.js';

/** Periods that one backfill may have. */
const MAX_PERIODS = 100_000;

const BATCH_SIZE = 10_000;
const PRIORITY_STEP = 100;
const LAST_PRIORITY = 1_000;
/** A hundred years: more than the ledger's instants can always take. */
const MAX_DEADLINE_MS = 36_500 * DAY_MS;

/** What is to be executed, in which order, and for whom. */
export interface BackfillRange {
  /** The first and the last instant, both inclusive. */
  readonly from: Date;
  readonly to: Date;
  readonly order: BackfillOrder;
  readonly actor: string | null;
}

/**
 * The executions of a job's periods in a range, in the order in which they are to run: those that ticks would have made, by
 * the versions in force at the time. Before the first version its own rules hold. Of several occurrences with one label
 * the first is meant, as for ticks.
 *
 * @param warn Is told when the job's `concurrencyKey` gave nothing usable.
 * @throws InvalidRequestError for more than 100,000 periods, and for versions whose functions are not in this code; what
 * the job's own functions throw.
 */
export function planBackfill(
  job: ScheduledJobDefinition,
  { record, range }: { readonly record: ScheduleRecord; readonly range: BackfillRange },
  warn: (message: string) => void,
): readonly NewExecution[] {
  refuseForeignVersions(job, record);
  const occurrences = periodsOf(job, record, range);
  const { order, actor } = range;
  const shared = {
    runAt: record.now,
    priority: Math.min(job.priority + PRIORITY_STEP, LAST_PRIORITY),
    concurrencyKey: concurrencyKeyOf(job, null, warn) ?? ownGroupOf(job),
    trigger: 'backfill',
    actor,
  } as const;
  const ordered = order === 'oldest-first' ? occurrences : occurrences.toReversed();
  return ordered.map((occurrence, index) => {
    // All can run from now on, but one waits for the other: each gets its time after those before it have used up theirs.
    const deadlineMs = Math.min(job.retry.deadlineMs * (index + 1), MAX_DEADLINE_MS);
    return periodExecution(job, occurrence, { ...shared, deadlineMs });
  });
}

function refuseForeignVersions({ name, schedule }: ScheduledJobDefinition, { versions }: ScheduleRecord): void {
  const foreign = versions.filter((version) => lacksFunctions(version, schedule.definition));
  if (foreign.length === 0) return;
  const numbers = foreign.map(({ version }) => version).join(', ');
  throw new InvalidRequestError(`backfill "${name}"`, [
    `the stored version(s) ${numbers} of its schedule named or excluded periods by a function ("period" or "exclude") that this application does not have. Backfill from a release that has it`,
  ]);
}

function periodsOf(
  job: ScheduledJobDefinition,
  { versions }: ScheduleRecord,
  { from, to }: BackfillRange,
): readonly Occurrence[] {
  const schedule = new VersionedSchedule(versionStretches(job, versions));
  const start = new Date(from.getTime() - 1);
  refuseTooMany(job, schedule.count({ after: start, until: to }));
  const periods = new Map<string, Occurrence>();
  for (let after = start; ;) {
    const batch = schedule.occurrences({ after, until: to, limit: BATCH_SIZE });
    for (const occurrence of batch) {
      if (!periods.has(occurrence.period)) periods.set(occurrence.period, occurrence);
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH_SIZE) return [...periods.values()];
    after = last.scheduledFor;
  }
}

function refuseTooMany({ name }: ScheduledJobDefinition, count: number): void {
  if (count <= MAX_PERIODS) return;
  throw new InvalidRequestError(`backfill "${name}"`, [
    `the range has ${count} periods, and one backfill takes at most ${MAX_PERIODS}. Split it into shorter ones`,
  ]);
}
