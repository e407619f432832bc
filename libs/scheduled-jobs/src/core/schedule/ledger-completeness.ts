import { StoreUnavailableError } from '../errors.js';
import type { JobDefinition } from '../job/job-definition.js';
import type { PeriodRecords, ScheduleRecord } from '../ports/period-records.js';
import { checkCompleteness, type ScheduleCompleteness } from './completeness.js';
import { graceMsOf } from './grace.js';
import { earlierNamesOf } from './period-lookup.js';
import { storedOccurrences } from './stored-occurrences.js';

/** A schedule that could not be looked at, and why. */
export interface UncheckedSchedule {
  readonly jobName: string;
  readonly reason: string;
}

/** Whether the ledger accounts for every period. */
export interface Completeness {
  /** Periods that no execution, no key and no skipped range accounts for: anything but 0 is a defect. */
  readonly missingPeriods: number;
  /** Periods that a tick should have recorded by now. */
  readonly overduePeriods: number;
  readonly schedules: readonly ScheduleCompleteness[];
  /** Schedules whose periods are named by a function that is elsewhere, or that threw. */
  readonly unchecked: readonly UncheckedSchedule[];
}

/** Where to look, with which jobs' functions. */
export interface LedgerCompletenessInput {
  readonly periods: PeriodRecords;
  /** The jobs at hand; other schedules are read from their stored versions alone. */
  readonly definitions: readonly JobDefinition[];
  /** How many occurrences of each schedule are looked at, the newest up to its cursor, 1–100,000. */
  readonly limit: number;
  readonly now: Date | null;
}

/**
 * Looks at schedules by name, one after the other; those that another one took over from, and names without a schedule,
 * are passed over.
 *
 * @throws StoreUnavailableError when the database cannot be reached.
 */
export async function ledgerCompleteness(
  scheduleNames: readonly string[],
  input: LedgerCompletenessInput,
): Promise<Completeness> {
  const definitions = new Map(input.definitions.map((definition) => [definition.name, definition]));
  const schedules: ScheduleCompleteness[] = [];
  const unchecked: UncheckedSchedule[] = [];
  for (const name of scheduleNames) {
    const record = await input.periods.ofSchedule(name, input.now);
    if (record === null || record.renamedTo !== null) continue;
    try {
      schedules.push(await scheduleCompleteness(record, definitions.get(name), input));
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      unchecked.push({ jobName: name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    missingPeriods: schedules.reduce((sum, { missing }) => sum + missing, 0),
    overduePeriods: schedules.reduce((sum, { overdue }) => sum + overdue, 0),
    schedules,
    unchecked,
  };
}

/** @throws Error when its periods cannot be named here. */
function scheduleCompleteness(
  record: ScheduleRecord,
  definition: JobDefinition | undefined,
  { periods, limit }: LedgerCompletenessInput,
): Promise<ScheduleCompleteness> {
  const { jobName } = record;
  return checkCompleteness({
    record,
    source: storedOccurrences(record, definition),
    lookup: {
      jobName,
      earlierNames: earlierNamesOf({ aliases: definition?.aliases ?? [] }, record),
      ofKeys: (keys) => periods.ofKeys(keys),
    },
    graceMs: graceMsOf(definition),
    limit,
  });
}
