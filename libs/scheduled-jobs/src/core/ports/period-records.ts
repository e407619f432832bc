import type { ScheduleVersion } from './schedule-store.js';

/** What the ledger remembers of a key: an execution, only that there was one, or nothing. */
export type KeyRecord = 'recorded' | 'pruned' | 'absent';

/** A name under which periods of a job may be on record. */
export interface RecordName {
  readonly name: string;
  /** The last instant whose periods they are: since then the name belongs to another job. Null = for ever. */
  readonly until: Date | null;
}

/** A schedule as the ledger has it, with all its history. */
export interface ScheduleRecord {
  readonly jobName: string;
  readonly cursorAt: Date;
  /** In order, the first one included. */
  readonly versions: readonly ScheduleVersion[];
  /** It stands still at present: paused, or orphaned. */
  readonly isSuspended: boolean;
  /** In order; those recorded under earlier names included. */
  readonly skippedRanges: readonly { readonly from: Date; readonly to: Date }[];
  /** The schedule that took over from this one; null = none. */
  readonly renamedTo: string | null;
  /** Names of schedules that this one took over from, directly or through others. */
  readonly earlierNames: readonly RecordName[];
  readonly now: Date;
}

/** Tells which periods are on record. */
export interface PeriodRecords {
  /** One answer per key, in the order given. At most 10,000 keys. */
  ofKeys(keys: readonly string[]): Promise<readonly KeyRecord[]>;
  /** Null = there is no such schedule. */
  ofSchedule(jobName: string, now: Date | null): Promise<ScheduleRecord | null>;
}
