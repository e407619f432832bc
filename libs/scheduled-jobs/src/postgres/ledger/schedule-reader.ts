import { InvalidQueryError } from '../../core/errors.js';
import type { Page, ScheduleDetail, ScheduleSummary } from '../../core/ports/ledger-reader.js';
import type { Suspension } from '../../core/ports/suspension-store.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import type { ScheduleVersionRow } from '../statements/find-schedule-versions.sql.js';
import { findSchedulesSql, type ScheduleRow } from '../statements/find-schedules.sql.js';
import { findSkippedRangesSql, type SkippedRangeRow } from '../statements/find-skipped-ranges.sql.js';
import { findVersionHistorySql } from '../statements/find-version-history.sql.js';
import { findSuspensionHistorySql, type PastSuspensionRow } from '../statements/find-suspension-history.sql.js';
import { boundedPage } from './bounded-page.js';
import { decodeCursor, encodeCursor, filterDigest } from './cursor.js';
import { scheduleVersion } from './schedule-version.js';
import { suspension } from './suspension.js';

const ACTION = 'read schedules';
const HISTORY_LIMIT = 50;
const PAGE = 1_000;
const DIGEST = filterDigest('schedules');

/** Reads schedules with their cursors, versions, suspensions and skipped ranges. */
export class ScheduleReader {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      schedules: findSchedulesSql(names),
      versions: findVersionHistorySql(names),
      ranges: findSkippedRangesSql(names),
      suspensions: findSuspensionHistorySql(names),
    };
  }

  async all(now: Date | null): Promise<readonly ScheduleSummary[]> {
    const found: ScheduleSummary[] = [];
    for (let cursor: string | null = null, isLast = false; !isLast; isLast = cursor === null) {
      const page: Page<ScheduleSummary> = await this.page(cursor, now);
      found.push(...page.items);
      cursor = page.nextCursor;
    }
    return found;
  }

  async page(cursor: string | null, now: Date | null): Promise<Page<ScheduleSummary>> {
    const after = cursor === null ? null : readCursor(cursor);
    const rows = await this.rows([null, now, after, PAGE + 1]);
    const { items, last } = boundedPage(rows, PAGE, scheduleSummary);
    return { items, nextCursor: last === null ? null : encodeCursor(DIGEST, [last.schedule_name]) };
  }

  async one(name: string, now: Date | null): Promise<ScheduleDetail | null> {
    const [row] = name.includes('\u0000') ? [] : await this.rows([name, now, null, 1]);
    if (row === undefined) return null;
    const versions = await this.database.query<ScheduleVersionRow>(ACTION, this.sql.versions, [name, HISTORY_LIMIT]);
    const ofJob = [row.job_name, HISTORY_LIMIT];
    const ranges = await this.database.query<SkippedRangeRow>(ACTION, this.sql.ranges, ofJob);
    const suspensions = await this.database.query<PastSuspensionRow>(ACTION, this.sql.suspensions, ofJob);
    return {
      ...scheduleSummary(row),
      versions: versions.map(scheduleVersion),
      skippedRanges: ranges.map(skippedRange),
      suspensions: suspensions.map((past) => ({
        ...suspension(past),
        endedBy: past.ended_by,
        endReason: past.end_reason,
      })),
    };
  }

  private rows(values: readonly unknown[]): Promise<readonly ScheduleRow[]> {
    return this.database.query<ScheduleRow>(ACTION, this.sql.schedules, values);
  }
}

function readCursor(cursor: string): string {
  const [name, ...rest] = decodeCursor(cursor, DIGEST) ?? [];
  if (name !== undefined && rest.length === 0 && !name.includes('\u0000')) return name;
  throw new InvalidQueryError(['cursor is not one of this list. Start again without it.']);
}

const scheduleSummary = (row: ScheduleRow): ScheduleSummary => ({
  scheduleName: row.schedule_name,
  jobName: row.job_name,
  version: row.version,
  expression: row.expression,
  timeZone: row.time_zone,
  shape: row.shape,
  disabled: row.shape['disabled'] === true,
  suspension: openSuspension(row),
  renamedTo: row.renamed_to,
  cursorAt: row.cursor_at,
  nextAt: row.next_at,
  behindMs: row.behind_ms,
  lastError: row.last_error,
  retryAt: row.retry_at,
  last:
    row.last_id === null || row.last_scheduled_for === null
      ? null
      : { executionId: row.last_id, period: row.last_period, scheduledFor: row.last_scheduled_for },
});

function openSuspension({ kind, from_at, to_at, catch_up, actor, reason }: ScheduleRow): Suspension | null {
  if (kind === null || from_at === null) return null;
  return suspension({ kind, from_at, to_at, catch_up: catch_up === true, actor, reason });
}

const skippedRange = (row: SkippedRangeRow): ScheduleDetail['skippedRanges'][number] => ({
  from: row.from_at,
  to: row.to_at,
  count: Number(row.occurrences),
  reason: row.reason,
  actor: row.actor,
  createdAt: row.created_at,
});
