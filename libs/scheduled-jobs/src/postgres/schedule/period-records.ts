import type { KeyRecord, PeriodRecords, ScheduleRecord } from '../../core/ports/period-records.js';
import type { Database } from '../database/database.js';
import { scheduleVersion } from '../ledger/schedule-version.js';
import type { LedgerNames } from '../ledger-names.js';
import { findEarlierNamesSql, type EarlierNameRow } from '../statements/find-earlier-names.sql.js';
import { findKeyRecordsSql, type KeyRecordRow } from '../statements/find-key-records.sql.js';
import { findRangesOfNamesSql, type RangeRow } from '../statements/find-ranges-of-names.sql.js';
import { findScheduleRecordSql, type ScheduleRecordRow } from '../statements/find-schedule-record.sql.js';
import type { ScheduleVersionRow } from '../statements/find-schedule-versions.sql.js';
import { findVersionHistorySql } from '../statements/find-version-history.sql.js';

const ACTION = 'read which periods are on record';
const ALL = null;

/** Tells which periods are on record. */
export class PostgresPeriodRecords implements PeriodRecords {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      keys: findKeyRecordsSql(names),
      schedule: findScheduleRecordSql(names),
      earlierNames: findEarlierNamesSql(names),
      versions: findVersionHistorySql(names),
      ranges: findRangesOfNamesSql(names),
    };
  }

  async ofKeys(keys: readonly string[]): Promise<readonly KeyRecord[]> {
    if (keys.length === 0) return [];
    const rows = await this.database.query<KeyRecordRow>(ACTION, this.sql.keys, [keys]);
    return rows.map(({ record }) => record);
  }

  /** Reads the cursor first: whatever a tick records meanwhile is beyond it. */
  async ofSchedule(jobName: string, now: Date | null): Promise<ScheduleRecord | null> {
    const [row] = await this.database.query<ScheduleRecordRow>(ACTION, this.sql.schedule, [jobName, now]);
    if (row === undefined) return null;
    const versions = await this.database.query<ScheduleVersionRow>(ACTION, this.sql.versions, [jobName, ALL]);
    const earlierNames = await this.database.query<EarlierNameRow>(ACTION, this.sql.earlierNames, [jobName]);
    const names = [{ name: jobName, until: null }, ...earlierNames];
    const ranges = await this.database.query<RangeRow>(ACTION, this.sql.ranges, [
      names.map(({ name }) => name),
      names.map(({ until }) => until),
    ]);
    return {
      jobName: row.job_name,
      cursorAt: row.cursor_at,
      versions: versions.toReversed().map(scheduleVersion),
      isSuspended: row.suspended,
      skippedRanges: ranges.map(({ from_at: from, to_at: to }) => ({ from, to })),
      renamedTo: row.renamed_to,
      earlierNames,
      now: row.now,
    };
  }
}
