import type { JobReader, JobRecord, JobRecords, LastExecution } from '../../core/ports/job-reader.js';
import type { Database } from '../database/database.js';
import { executionSummary } from '../ledger/execution-view.js';
import type { LedgerNames } from '../ledger-names.js';
import { findJobsSql, type JobRow } from '../statements/find-jobs.sql.js';
import { listJobsSql, type ListedJobRow } from '../statements/list-jobs.sql.js';

const MAX_JOBS = 1_000;
const COUNTED = 10_000;

/** Reads jobs with how they stand. */
export class PostgresJobReader implements JobReader {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = { list: listJobsSql(names), find: findJobsSql(names) };
  }

  async list(name: string | null, now: Date | null): Promise<JobRecords> {
    const values = [name, now, MAX_JOBS + 1, COUNTED + 1];
    const rows = await this.database.query<ListedJobRow>('list jobs', this.sql.list, values);
    const inAll = rows[0]?.dead_in_all ?? 0;
    return {
      jobs: rows.slice(0, MAX_JOBS).map(jobRecord),
      hasMore: rows.length > MAX_JOBS,
      deadLetters: { count: Math.min(inAll, COUNTED), capped: inAll > COUNTED },
    };
  }

  async has(name: string): Promise<boolean> {
    return (await this.database.query<JobRow>('find a job', this.sql.find, [[name]])).length > 0;
  }
}

const jobRecord = (row: ListedJobRow): JobRecord => ({
  jobName: row.name,
  scheduled: row.scheduled,
  renamedTo: row.renamed_to,
  lastQueue: row.id === null ? null : row.queue,
  overlap: row.overlap,
  concurrency: row.concurrency,
  leaseMs: row.lease_ms,
  deadlineMs: Number(row.deadline_ms),
  retentionMs: row.retention,
  startWithinMs: row.start_within_ms,
  runbook: row.runbook,
  unhandledSince: row.unhandled_since,
  pause: row.paused_at === null ? null : { since: row.paused_at, actor: row.paused_by, reason: row.pause_reason },
  last: lastExecution(row),
  deadLetters: row.dead,
});

function lastExecution(row: ListedJobRow): LastExecution | null {
  if (row.id === null) return null;
  const { executionId, key, period, state, reason, scheduledFor, ...rest } = executionSummary(row);
  const { startedAt, finishedAt, durationMs, attempts, errorClass, errorCode } = rest;
  const times = { scheduledFor, startedAt, finishedAt, durationMs };
  return { executionId, key, period, state, reason, ...times, attempts, errorClass, errorCode };
}
