import type { OperatorRequest } from '../core/ports/operator-request.js';
import type { BreakerChange, QueueStore, QueueSummary } from '../core/ports/queue-store.js';
import type { PauseResult } from '../core/ports/suspension-store.js';
import { judge, type Judgement, type Verdict } from '../core/queue/breaker.js';
import type { QueueLimits } from '../core/queue/queue-limits.js';
import { AuditWriter } from './audit-writer.js';
import type { Database } from './database/database.js';
import type { Session } from './database/session.js';
import { queueSummary } from './ledger/queue-view.js';
import type { LedgerNames } from './ledger-names.js';
import { paused, resumed } from './pausing.js';
import { configureQueuesSql } from './statements/configure-queues.sql.js';
import { findQueuesSql, type QueueRow } from './statements/find-queues.sql.js';
import { lockBreakersSql, type LockedBreakerRow } from './statements/lock-breakers.sql.js';
import type { PausedRow } from './statements/pause-job.sql.js';
import { pauseQueueSql } from './statements/pause-queue.sql.js';
import type { ResumedRow } from './statements/resume-job.sql.js';
import { resumeQueueSql } from './statements/resume-queue.sql.js';
import { saveBreakersSql } from './statements/save-breakers.sql.js';

const COUNTED = 10_000;
const LISTED = 1_000;

/** Limits, pauses and breakers of queues: one row each, whose lock decides who claims, counts or changes it. */
export class PostgresQueueStore implements QueueStore {
  private readonly sql;
  private readonly audit: AuditWriter;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      configure: configureQueuesSql(names),
      pause: pauseQueueSql(names),
      resume: resumeQueueSql(names),
      find: findQueuesSql(names),
      lockBreakers: lockBreakersSql(names),
      saveBreakers: saveBreakersSql(names),
    };
    this.audit = new AuditWriter(names);
  }

  async configure(limits: readonly QueueLimits[]): Promise<void> {
    if (limits.length === 0) return;
    await this.database.query('put limits of queues in force', this.sql.configure, [
      limits.map(({ name }) => name),
      limits.map(({ concurrency }) => concurrency),
      limits.map(({ rate }) => rate),
      limits.map(({ rateMs }) => rateMs),
      limits.map(({ burst }) => burst),
      limits.map(({ breaker }) => (breaker === null ? null : JSON.stringify(breaker))),
    ]);
  }

  pause(queue: string, request: OperatorRequest): Promise<PauseResult> {
    const { actor, reason, now } = request;
    return paused(this.database, `pause the queue "${queue}"`, async (session) => {
      const [row] = await session.query<PausedRow>(this.sql.pause, [queue, actor, reason, now]);
      if (row?.changed === true) await this.record(session, { action: 'pause-queue', queue }, request);
      return row;
    });
  }

  resume(queue: string, request: OperatorRequest): Promise<PauseResult> {
    const values = [queue, request.now, this.names.channel];
    return resumed(this.database, `resume the queue "${queue}"`, async (session) => {
      const [row] = await session.query<ResumedRow>(this.sql.resume, values);
      if (row?.changed === true) await this.record(session, { action: 'resume-queue', queue }, request);
      return row;
    });
  }

  async list(names: readonly string[], now: Date | null): Promise<readonly QueueSummary[]> {
    const rows = await this.database.query<QueueRow>('read the queues', this.sql.find, [names, now, COUNTED, LISTED]);
    return rows.map(queueSummary).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  async recordVerdicts(verdicts: readonly Verdict[], now: Date | null): Promise<readonly BreakerChange[]> {
    if (verdicts.length === 0) return [];
    return this.database.transaction('count calls of queues', (session) => this.judgeAll(session, verdicts, now));
  }

  private record(
    session: Session,
    { action, queue: subject }: { readonly action: 'pause-queue' | 'resume-queue'; readonly queue: string },
    { actor, reason, now }: OperatorRequest,
  ): Promise<void> {
    const entry = { action, subject, jobName: null, executionId: null, actor, reason, details: null };
    return this.audit.record(session, [entry], now);
  }

  private async judgeAll(session: Session, verdicts: readonly Verdict[], now: Date | null) {
    const queues = [...new Set(verdicts.map(({ queue }) => queue))];
    const rows = await session.query<LockedBreakerRow>(this.sql.lockBreakers, [queues, now]);
    if (rows.length === 0) return [];
    const judged = rows.map((row) => ({ queue: row.name, ...judgement(row, verdicts) }));
    await session.query(this.sql.saveBreakers, [
      judged.map(({ queue }) => queue),
      judged.map(({ state: { tally } }) => (tally === null ? null : JSON.stringify(tally))),
      judged.map(({ state }) => state.openUntil),
      judged.map(({ state }) => state.openings),
      judged.map(({ state }) => state.probesPassed),
      judged.map(({ change }) => change === 'opened'),
    ]);
    return judged.flatMap(({ queue, change, calls, failures, state }): BreakerChange[] =>
      change === null ? [] : [{ queue, change, until: state.openUntil, calls, failures }],
    );
  }
}

function judgement(row: LockedBreakerRow, verdicts: readonly Verdict[]): Judgement {
  const { name, breaker, tally, open_until: openUntil, openings, opened_token: openedToken } = row;
  const state = { tally, openUntil, openings, openedToken, probesPassed: row.probes_passed };
  const own = verdicts.filter(({ queue }) => queue === name);
  return judge(state, own, { settings: breaker, now: row.now });
}
