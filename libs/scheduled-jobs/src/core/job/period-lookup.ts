import type { KeyRecord, PeriodRecords } from '../ports/period-records.js';
import { executionKey } from './execution-key.js';

/** What periods are looked up by. */
export interface PeriodLookup {
  /** Of the job, its own first: a period counts under each of them. */
  readonly names: readonly string[];
  readonly ofKeys: PeriodRecords['ofKeys'];
}

/** What the ledger remembers of a job's periods, in the order given. At most 10,000 periods. */
export async function recordsOfPeriods(
  periods: readonly string[],
  { names, ofKeys }: PeriodLookup,
): Promise<readonly KeyRecord[]> {
  const records: KeyRecord[] = periods.map(() => 'absent');
  for (const name of new Set(names)) {
    const absent = [...records.keys()].filter((index) => records[index] === 'absent');
    if (absent.length === 0) break;
    const found = await ofKeys(absent.map((index) => executionKey(name, periods[index] ?? '')));
    for (const [place, index] of absent.entries()) records[index] = found[place] ?? 'absent';
  }
  return records;
}
