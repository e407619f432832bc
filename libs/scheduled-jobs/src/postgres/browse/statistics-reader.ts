import { bucketMs } from '../../core/browse/statistics-window.js';
import type {
  JobStatistics,
  Percentiles,
  StatisticsBucket,
  StatisticsReader,
  StatisticsRequest,
} from '../../core/ports/statistics-reader.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import { findVersionChangesSql, type VersionChangeRow } from '../statements/find-version-changes.sql.js';
import { jobStatisticsSql, type BucketRow, type StatisticsRow } from '../statements/job-statistics.sql.js';

const ACTION = 'read statistics';
const LOOKED_AT = 20_000;
const MAX_VERSIONS = 50;

/** Reads what became of many executions. */
export class PostgresStatisticsReader implements StatisticsReader {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = { statistics: jobStatisticsSql(names), versions: findVersionChangesSql(names) };
  }

  async ofJob(request: StatisticsRequest): Promise<JobStatistics> {
    const { jobName, from, to } = request;
    const widthMs = bucketMs(to.getTime() - from.getTime());
    const window = [jobName, from, to];
    const values = [...window, LOOKED_AT, widthMs];
    const [row] = await this.database.query<StatisticsRow>(ACTION, this.sql.statistics, values);
    if (row === undefined) throw new TypeError('A statement that aggregates gave no row.');
    const changes = [...window, MAX_VERSIONS];
    const versions = await this.database.query<VersionChangeRow>(ACTION, this.sql.versions, changes);
    return {
      ...statisticsOf(request, row),
      bucketMs: widthMs,
      buckets: bucketsOf(request, row, widthMs),
      versions: versions.toReversed().map(({ version, valid_from: at }) => ({ at, version })),
    };
  }
}

function statisticsOf(
  { jobName, from, to }: StatisticsRequest,
  row: StatisticsRow,
): Omit<JobStatistics, 'bucketMs' | 'buckets' | 'versions'> {
  const { rows, succeeded, completed_with_errors: completedWithErrors, failed, canceled, skipped } = row;
  const ran = succeeded + completedWithErrors + failed;
  const open = rows - ran - canceled - skipped;
  return {
    jobName,
    from,
    to,
    rows,
    capped: row.has_more,
    oldestAt: row.oldest_at,
    executions: { succeeded, completedWithErrors, failed, canceled, skipped, open },
    successRate: ran === 0 ? null : succeeded / ran,
    attempts: row.attempts,
    retries: row.retries,
    lostLeases: row.lost_leases,
    durationMs: percentiles(row.duration),
    startDelayMs: percentiles(row.delay),
    processed: row.processed,
    failedItems: row.failed_items,
    skippedItems: row.skipped_items,
    throughputPerSecond: row.busy_ms > 0 ? (row.processed / row.busy_ms) * 1_000 : null,
  };
}

function percentiles(points: StatisticsRow['duration']): Percentiles | null {
  if (points === null) return null;
  const [p50, p95, p99, max] = points.map(Math.round) as [number, number, number, number];
  return { p50, p95, p99, max };
}

/** Every bucket of the window, so that a chart has no holes; where rows were left out, from the oldest one on. */
function bucketsOf(
  { from, to }: StatisticsRequest,
  { buckets, has_more: isCapped }: StatisticsRow,
  widthMs: number,
): readonly StatisticsBucket[] {
  const found = new Map(buckets.map((bucket) => [bucket.n, bucket]));
  const count = Math.ceil((to.getTime() - from.getTime()) / widthMs);
  const first = isCapped ? Math.min(...found.keys()) : 0;
  return Array.from({ length: count - first }, (_, index) => {
    const n = first + index;
    return bucketOf(new Date(from.getTime() + n * widthMs), found.get(n));
  });
}

const NOTHING = {
  succeeded: 0,
  completedWithErrors: 0,
  failed: 0,
  canceled: 0,
  skipped: 0,
  duration: null,
  delay: null,
};

function bucketOf(from: Date, row: Omit<BucketRow, 'n'> = NOTHING): StatisticsBucket {
  const { succeeded, completedWithErrors, failed, canceled, skipped } = row;
  const [p50Ms, p95Ms] = bucketPoints(row.duration);
  const [startDelayP50Ms, startDelayP95Ms] = bucketPoints(row.delay);
  return {
    from,
    succeeded,
    completedWithErrors,
    failed,
    canceled,
    skipped,
    p50Ms,
    p95Ms,
    startDelayP50Ms,
    startDelayP95Ms,
  };
}

const bucketPoints = (points: BucketRow['delay']): readonly [number | null, number | null] =>
  points === null ? [null, null] : [Math.round(points[0]), Math.round(points[1])];
