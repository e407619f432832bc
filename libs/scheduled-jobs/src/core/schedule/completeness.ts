import { justAfter } from '../calendar/instant-range.js';
import type { Occurrence } from '../calendar/schedule.js';
import { executionKey } from '../job/execution-key.js';
import type { KeyRecord, ScheduleRecord } from '../ports/period-records.js';
import { recordsOfPeriods, type PeriodLookup } from './period-lookup.js';
import type { OccurrenceSource } from './versioned-schedule.js';

const BATCH_SIZE = 1_000;
const NAMED_KEYS = 100;

/** How the periods of one schedule stand. `expected` = `recorded` + `pruned` + `leftOut` + `missing`. */
export interface ScheduleCompleteness {
  readonly jobName: string;
  /** Occurrences after this instant were looked at: from the first version on, or the newest ones. */
  readonly checkedFrom: Date;
  /** The last instant that was looked at: the cursor. */
  readonly checkedTo: Date;
  /** Occurrences in the stretch. */
  readonly expected: number;
  /** Those that have an execution. */
  readonly recorded: number;
  /** Those whose execution was removed by retention. */
  readonly pruned: number;
  /** Those without an execution, in a recorded skipped range. */
  readonly leftOut: number;
  /** Those of which the ledger knows nothing: anything but 0 is a defect. */
  readonly missing: number;
  /** The keys of the first 100 that are missing. */
  readonly missingKeys: readonly string[];
  /** Occurrences behind the cursor that a tick should have recorded; 0 while the schedule stands still. */
  readonly overdue: number;
}

/** What a schedule is checked by. */
export interface CompletenessInput {
  readonly record: ScheduleRecord;
  /** The occurrences of all its stored versions. */
  readonly source: OccurrenceSource;
  readonly lookup: PeriodLookup;
  /** An occurrence at most this late is not overdue, milliseconds. */
  readonly graceMs: number;
  /** How many occurrences are looked at, the newest, 1–100,000. */
  readonly limit: number;
}

/**
 * Walks the occurrences of a schedule up to its cursor and tells which the ledger does not account for. A schedule's first
 * occurrence is the first one after its first version begins. It holds no more than one batch at a time.
 *
 * @throws what the job's own functions throw.
 */
export async function checkCompleteness(input: CompletenessInput): Promise<ScheduleCompleteness> {
  const { record, lookup, source } = input;
  const checkedFrom = startOf(input);
  const tally = new Tally(record);
  for (let after = checkedFrom; after < record.cursorAt;) {
    const batch = source.occurrences({ after, until: record.cursorAt, limit: BATCH_SIZE });
    tally.add(batch, await recordsOfPeriods(batch, lookup));
    after = batch.length < BATCH_SIZE ? record.cursorAt : (batch.at(-1)?.scheduledFor ?? record.cursorAt);
  }
  const { jobName, cursorAt: checkedTo } = record;
  return { jobName, checkedFrom, checkedTo, ...tally.result(), overdue: overdue(input) };
}

/** The instant after which occurrences are looked at. */
function startOf({ record, source, limit }: CompletenessInput): Date {
  const { cursorAt } = record;
  const first = record.versions[0]?.validFrom ?? cursorAt;
  if (first >= cursorAt) return cursorAt;
  if (source.count({ after: first, until: cursorAt }) <= limit) return first;
  let start = justAfter(cursorAt);
  for (let steps = 0; steps <= limit; steps += 1) start = source.previous(start) ?? first;
  return start;
}

function overdue({ record, source, graceMs }: CompletenessInput): number {
  const { cursorAt, now, isSuspended, renamedTo } = record;
  const until = new Date(now.getTime() - graceMs);
  return isSuspended || renamedTo !== null || until <= cursorAt ? 0 : source.count({ after: cursorAt, until });
}

/** Counts occurrences by what became of them; they come in order. */
class Tally {
  private readonly counts: Record<KeyRecord | 'leftOut', number> = { recorded: 0, pruned: 0, absent: 0, leftOut: 0 };
  private readonly missingKeys: string[] = [];
  private range = 0;

  constructor(private readonly record: ScheduleRecord) {}

  add(occurrences: readonly Occurrence[], records: readonly KeyRecord[]): void {
    for (const [index, { scheduledFor, period }] of occurrences.entries()) {
      const found = records[index] ?? 'absent';
      const fate = found === 'absent' && this.isLeftOut(scheduledFor) ? 'leftOut' : found;
      this.counts[fate] += 1;
      if (fate !== 'absent' || this.missingKeys.length >= NAMED_KEYS) continue;
      this.missingKeys.push(executionKey(this.record.jobName, period));
    }
  }

  result(): Pick<ScheduleCompleteness, 'expected' | 'recorded' | 'pruned' | 'leftOut' | 'missing' | 'missingKeys'> {
    const { recorded, pruned, absent: missing, leftOut } = this.counts;
    const expected = recorded + pruned + leftOut + missing;
    return { expected, recorded, pruned, leftOut, missing, missingKeys: this.missingKeys };
  }

  private isLeftOut(at: Date): boolean {
    const { skippedRanges } = this.record;
    while ((skippedRanges[this.range]?.to ?? at) < at) this.range += 1;
    const range = skippedRanges[this.range];
    return range !== undefined && range.from <= at;
  }
}
