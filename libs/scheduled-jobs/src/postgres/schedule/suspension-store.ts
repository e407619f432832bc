import type { OperatorRequest } from '../../core/ports/operator-request.js';
import type { PauseResult, ResumeRequest, Suspension, SuspensionStore } from '../../core/ports/suspension-store.js';
import { AuditWriter } from '../audit-writer.js';
import type { Database } from '../database/database.js';
import type { Session } from '../database/session.js';
import { suspension } from '../ledger/suspension.js';
import { advisoryLock, type LedgerNames } from '../ledger-names.js';
import { paused, resumed } from '../pausing.js';
import { findOpenPauseSql } from '../statements/find-open-pause.sql.js';
import type { SuspensionRow } from '../statements/find-suspensions.sql.js';
import { giveBackSlotsSql } from '../statements/give-back-slots.sql.js';
import { holdIdleSql, type HeldRow } from '../statements/hold-idle.sql.js';
import { lockUntilCommitSql } from '../statements/lock-until-commit.sql.js';
import { markUnhandledSql, type UnhandledRow } from '../statements/mark-unhandled.sql.js';
import { pauseJobSql, type PausedRow } from '../statements/pause-job.sql.js';
import { resumeJobSql, type ResumedRow } from '../statements/resume-job.sql.js';
import { suspendOrphansSql, type OrphanRow } from '../statements/suspend-orphans.sql.js';

/** Claims read over so many executions in a few milliseconds; what lies behind them is nobody's concern yet. */
const QUEUE_HEAD = 10_000;

/**
 * Pauses of jobs and schedules that nobody carries. A suspension only says from when to when a schedule stands still: ticks,
 * claims and admissions read that, and the plans of ticks decide what becomes of its periods.
 */
export class PostgresSuspensionStore implements SuspensionStore {
  private readonly sql;
  private readonly audit: AuditWriter;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      pause: pauseJobSql(names),
      giveBackSlots: giveBackSlotsSql(names),
      resume: resumeJobSql(names),
      findPause: findOpenPauseSql(names),
      suspendOrphans: suspendOrphansSql(names),
      markUnhandled: markUnhandledSql(names),
      holdIdle: holdIdleSql(names),
    };
    this.audit = new AuditWriter(names);
  }

  pause(jobName: string, request: OperatorRequest): Promise<PauseResult> {
    return paused(this.database, `pause "${jobName}"`, (session) => this.pauseIn(session, jobName, request));
  }

  resume(jobName: string, { actor, reason, now, catchUp }: ResumeRequest): Promise<PauseResult> {
    const values = [jobName, catchUp, actor, reason, now, this.names.channel];
    return resumed(this.database, `resume "${jobName}"`, async (session) => {
      const [row] = await session.query<ResumedRow>(this.sql.resume, values);
      if (row?.changed === true) await this.note(session, 'resume', jobName, { actor, reason, now });
      return row;
    });
  }

  async findPause(jobName: string): Promise<Suspension | null> {
    const [row] = await this.database.query<SuspensionRow>('find a pause', this.sql.findPause, [jobName]);
    return row === undefined ? null : suspension(row);
  }

  async suspendOrphans(request: {
    readonly forMs: number;
    readonly observingSince: Date;
    readonly now: Date | null;
  }): Promise<readonly string[]> {
    const rows = await this.database.query<OrphanRow>('look for orphaned schedules', this.sql.suspendOrphans, [
      request.forMs,
      request.observingSince,
      request.now,
    ]);
    return rows.map(({ job_name: jobName }) => jobName);
  }

  async markUnhandled(request: {
    readonly forMs: number;
    readonly observingSince: Date;
    readonly now: Date | null;
  }): Promise<readonly string[]> {
    const { forMs, observingSince, now } = request;
    const values = [forMs, observingSince, now];
    const rows = await this.database.query<UnhandledRow>('look for unhandled jobs', this.sql.markUnhandled, values);
    return rows.map(({ name }) => name);
  }

  async holdIdle(limit: number): Promise<number> {
    const [row] = await this.database.query<HeldRow>('hold executions', this.sql.holdIdle, [QUEUE_HEAD, limit]);
    return row?.held ?? 0;
  }

  /** Under the admission lock: no admission that has not seen the pause gives the job a slot after its slots were taken back. */
  private async pauseIn(session: Session, jobName: string, request: OperatorRequest): Promise<PausedRow | undefined> {
    await session.query(lockUntilCommitSql(), advisoryLock(this.names.schema, 'admit'));
    const { actor, reason, now } = request;
    const [row] = await session.query<PausedRow>(this.sql.pause, [jobName, actor, reason, now]);
    if (row?.changed !== true) return row;
    await session.query(this.sql.giveBackSlots, [jobName, this.names.channel]);
    await this.note(session, 'pause', jobName, request);
    return row;
  }

  private note(
    session: Session,
    action: 'pause' | 'resume',
    jobName: string,
    { actor, reason, now }: OperatorRequest,
  ): Promise<void> {
    const entry = { action, subject: jobName, jobName, executionId: null, actor, reason, details: null };
    return this.audit.record(session, [entry], now);
  }
}
