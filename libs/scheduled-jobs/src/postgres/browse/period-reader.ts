import { justAfter } from '../../core/calendar/instant-range.js';
import { groupBy } from '../../core/group-by.js';
import type {
  PeriodReader,
  RecordedPeriod,
  ScheduleStanding,
  StandingRequest,
} from '../../core/ports/period-reader.js';
import type { Database } from '../database/database.js';
import { scheduleVersion } from '../ledger/schedule-version.js';
import type { LedgerNames } from '../ledger-names.js';
import { findRangesInWindowSql, type WindowRangeRow } from '../statements/find-ranges-in-window.sql.js';
import { findRecordedPeriodsSql, type RecordedPeriodRow } from '../statements/find-recorded-periods.sql.js';
import { findScheduleStandingsSql, type ScheduleStandingRow } from '../statements/find-schedule-standings.sql.js';
import { findStoredVersionsSql, type StoredVersionRow } from '../statements/find-stored-versions.sql.js';

const ACTION = 'read periods';
const MAX_RANGES = 1_000;

/** Reads what there is of periods. */
export class PostgresPeriodReader implements PeriodReader {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      standings: findScheduleStandingsSql(names),
      versions: findStoredVersionsSql(names),
      ranges: findRangesInWindowSql(names),
      periods: findRecordedPeriodsSql(names),
    };
  }

  /** Reads the cursors first: whatever a tick records meanwhile is beyond them. */
  async standings(request: StandingRequest): Promise<readonly ScheduleStanding[]> {
    const { names, afterName, limit, now } = request;
    const values = [names, afterName, limit, now];
    const rows = await this.database.query<ScheduleStandingRow>(ACTION, this.sql.standings, values);
    if (rows.length === 0) return [];
    const found = [rows.map((row) => row.schedule_name)];
    const versions = await this.database.query<StoredVersionRow>(ACTION, this.sql.versions, found);
    const ranges = await this.ranges(rows, request);
    const versionsOf = groupBy(versions, (version) => version.schedule_name);
    const rangesOf = groupBy(ranges, (range) => range.schedule_name);
    return rows.map((row) =>
      standingOf(row, versionsOf.get(row.schedule_name) ?? [], rangesOf.get(row.schedule_name) ?? []),
    );
  }

  async ofKeys(keys: readonly string[], now: Date | null): Promise<readonly RecordedPeriod[]> {
    if (keys.length === 0) return [];
    const rows = await this.database.query<RecordedPeriodRow>(ACTION, this.sql.periods, [keys, now]);
    return rows.map((row) => ({
      executionId: row.execution_id,
      state: row.state,
      reason: row.reason,
      attempts: row.attempts ?? 0,
      durationMs: row.duration_ms === null ? null : Math.max(0, Math.round(row.duration_ms)),
    }));
  }

  private ranges(rows: readonly ScheduleStandingRow[], { from, to }: StandingRequest) {
    const named = rows.flatMap(({ schedule_name: schedule, earlier_names: earlier }) =>
      [{ name: schedule, until: null }, ...earlier].map(({ name, until }) => ({ schedule, name, until })),
    );
    return this.database.query<WindowRangeRow>(ACTION, this.sql.ranges, [
      named.map(({ schedule }) => schedule),
      named.map(({ name }) => name),
      named.map(({ until }) => until),
      from,
      to,
      MAX_RANGES,
    ]);
  }
}

function standingOf(
  row: ScheduleStandingRow,
  stored: readonly StoredVersionRow[],
  ranges: readonly WindowRangeRow[],
): ScheduleStanding {
  const versions = stored.map(scheduleVersion);
  // What happens at the very beginning of a version is not yet its.
  const begins = [justAfter(versions[0]?.validFrom ?? row.cursor_at), row.oldest_at ?? row.cursor_at];
  return {
    jobName: row.schedule_name,
    cursorAt: row.cursor_at,
    knownFrom: new Date(Math.min(...begins.map((at) => at.getTime()))),
    suspension: suspensionOf(row),
    versions,
    earlierNames: row.earlier_names.map(earlierName),
    skippedRanges: ranges.map(skippedRange),
    now: row.now,
  };
}

const suspensionOf = ({
  suspension: kind,
  suspended_from: from,
}: ScheduleStandingRow): ScheduleStanding['suspension'] => (kind === null || from === null ? null : { kind, from });

const earlierName = ({ name, until }: ScheduleStandingRow['earlier_names'][number]) => ({
  name,
  until: until === null ? null : new Date(until),
});

const skippedRange = ({ from_at: from, to_at: to, reason }: WindowRangeRow) => ({ from, to, reason });
