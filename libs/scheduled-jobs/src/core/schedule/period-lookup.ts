import type { NewExecution } from '../execution/new-execution.js';
import { executionKey } from '../job/execution-key.js';
import type { JobDefinition } from '../job/job-definition.js';
import type { KeyRecord, PeriodRecords, RecordName, ScheduleRecord } from '../ports/period-records.js';

/** What periods are looked up by. */
export interface PeriodLookup {
  readonly jobName: string;
  /** A period counts under each of them, too. */
  readonly earlierNames: readonly RecordName[];
  readonly ofKeys: PeriodRecords['ofKeys'];
}

/** The names that a job has had: those that the ledger knows of, and those that its code tells. */
export function earlierNamesOf(
  { aliases }: Pick<JobDefinition, 'aliases'>,
  { earlierNames }: Pick<ScheduleRecord, 'earlierNames'>,
): readonly RecordName[] {
  const known = new Set(earlierNames.map(({ name }) => name));
  return [...earlierNames, ...aliases.filter((name) => !known.has(name)).map((name) => ({ name, until: null }))];
}

/** What the ledger remembers of a job's periods, in the order given. At most 10,000 periods. */
export async function recordsOfPeriods(
  periods: readonly Pick<NewExecution, 'period' | 'scheduledFor'>[],
  { jobName, earlierNames, ofKeys }: PeriodLookup,
): Promise<readonly KeyRecord[]> {
  const records: KeyRecord[] = periods.map(() => 'absent');
  for (const { name, until } of [{ name: jobName, until: null }, ...earlierNames]) {
    const open = [...periods.entries()].filter(
      ([index, { scheduledFor }]) =>
        records[index] === 'absent' && (until === null || (scheduledFor !== null && scheduledFor <= until)),
    );
    if (open.length === 0) continue;
    const found = await ofKeys(open.map(([, { period }]) => executionKey(name, period ?? '')));
    for (const [place, [index]] of open.entries()) records[index] = found[place] ?? 'absent';
  }
  return records;
}
