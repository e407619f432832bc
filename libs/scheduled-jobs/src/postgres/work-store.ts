import type { AttemptRecord, RecordedAttempt } from '../core/execution/attempt-record.js';
import type { ClaimedExecution, Lease } from '../core/execution/claimed-execution.js';
import type {
  ClaimRequest,
  GatedClaim,
  LeaseStatus,
  LogLine,
  ProgressUpdate,
  RescuedExecution,
  WorkOutlook,
  WorkStore,
} from '../core/ports/work-store.js';
import { Admission } from './admission.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { Database } from './database/database.js';
import { instantOf } from './database/column-values.js';
import type { Session } from './database/session.js';
import { storableText } from './database/storable-text.js';
import type { LedgerNames } from './ledger-names.js';
import { analyzeWorkSql } from './statements/analyze-work.sql.js';
import { appendLogsSql, MAX_LOG_LENGTH, MAX_LOG_LINES } from './statements/append-logs.sql.js';
import { claimLimitedSql } from './statements/claim-limited.sql.js';
import { findCancelRequestsSql, type CancelRequestRow } from './statements/find-cancel-requests.sql.js';
import { claimWorkSql, type ClaimedRow } from './statements/claim-work.sql.js';
import { endOverdueSql } from './statements/end-overdue.sql.js';
import { handleJobsSql } from './statements/handle-jobs.sql.js';
import { lockQueuesSql, type LockedQueueRow } from './statements/lock-queues.sql.js';
import { lookAtGatesSql, type GatesRow } from './statements/look-at-gates.sql.js';
import { lookForWorkSql, type WorkOutlookRow } from './statements/look-for-work.sql.js';
import { promoteDueSql } from './statements/promote-due.sql.js';
import { renewLeasesSql, type LeaseRow } from './statements/renew-leases.sql.js';
import { MAX_LOSSES_IN_ROW, rescueExpiredSql, type RescuedRow } from './statements/rescue-expired.sql.js';
import { bringBackHeldSql } from './statements/bring-back-held.sql.js';
import { saveProgressSql } from './statements/save-progress.sql.js';

/**
 * Claims, renews and ends leases. Each method is one statement in a transaction of its own, but for `admit`, see
 * Admission, `look`, which asks a second one about gated queues, and `claimGated`, which locks the queues first. Apart from `finish` nothing here waits for a work row.
 */
export class PostgresWorkStore implements WorkStore {
  private readonly sql;
  private readonly admission: Admission;
  private readonly recorder: AttemptRecorder;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      look: lookForWorkSql(names),
      lookAtGates: lookAtGatesSql(names),
      promote: promoteDueSql(names),
      claim: claimWorkSql(names),
      lockQueues: lockQueuesSql(names),
      claimLimited: claimLimitedSql(names),
      endOverdue: endOverdueSql(names),
      heartbeat: renewLeasesSql(names),
      cancelRequests: findCancelRequestsSql(names),
      rescue: rescueExpiredSql(names),
      saveProgress: saveProgressSql(names),
      appendLogs: appendLogsSql(names),
      handle: handleJobsSql(names),
      bringBack: bringBackHeldSql(names),
      analyze: analyzeWorkSql(names),
    };
    this.admission = new Admission(names, database);
    this.recorder = new AttemptRecorder(names);
  }

  async look(
    queues: readonly string[],
    now: Date | null,
    { leases = false }: { readonly leases?: boolean } = {},
  ): Promise<WorkOutlook> {
    const [row] = await this.database.query<WorkOutlookRow>('look for work', this.sql.look, [queues, now, leases]);
    const [gates] =
      row?.gated === true
        ? await this.database.query<GatesRow>('look at queues', this.sql.lookAtGates, [queues, now])
        : [{ ready: row?.ready ?? false, gates: [] }];
    return {
      ready: gates?.ready ?? false,
      due: row?.due ?? false,
      waiting: row?.waiting ?? false,
      held: row?.held ?? false,
      nextRunInMs: row?.next_run_in_ms ?? null,
      gates: (gates?.gates ?? []).map(({ queue, ready, opens_in_ms: opensInMs, has_breaker: hasBreaker }) => ({
        queue,
        ready,
        opensInMs,
        hasBreaker,
      })),
      ...(leases && { expired: row?.expired ?? false }),
    };
  }

  async promote(limit: number, now: Date | null): Promise<number> {
    return (await this.database.query('promote due executions', this.sql.promote, [now, limit])).length;
  }

  admit(concurrencyKeys: readonly string[] | null, now: Date | null = null): Promise<number> {
    return concurrencyKeys === null ? this.admission.walking(now) : this.admission.ofKeys(concurrencyKeys, now);
  }

  async refreshStatistics(): Promise<void> {
    await this.database.query('look at the work anew', this.sql.analyze, []);
  }

  async handle(jobNames: readonly string[], now: Date | null): Promise<void> {
    await this.database.query('say which jobs a worker handles', this.sql.handle, [jobNames, now]);
  }

  async bringBack(jobNames: readonly string[], limit: number): Promise<number> {
    return (await this.database.query('bring held executions back', this.sql.bringBack, [jobNames, limit])).length;
  }

  async claim(request: ClaimRequest): Promise<readonly ClaimedExecution[]> {
    const quotas = request.quotas.filter(({ take }) => take > 0);
    if (quotas.length === 0) return [];
    const action = 'claim executions';
    const query: Session['query'] = (text, values = []) => this.database.query(action, text, values);
    const rows = await query<ClaimedRow>(this.sql.claim, claimValues({ ...request, quotas }));
    // What cannot be ended now is handed back by the rescue, as work that did not start; the rest is claimed all the same.
    await this.endOverdue({ query }, rows, request.now).catch(() => undefined);
    return claimedExecutions(rows);
  }

  claimGated(request: ClaimRequest): Promise<GatedClaim> {
    return this.database.transaction('claim executions', async (session) => {
      const locked = await session.query<LockedQueueRow>(this.sql.lockQueues, [queueNames(request)]);
      const names = new Set(locked.map(({ name }) => name));
      const quotas = request.quotas.filter(({ queue }) => names.has(queue));
      const isBusy = quotas.length < request.quotas.length;
      if (quotas.length === 0) return { claimed: [], isBusy };
      const rows = await session.query<ClaimedRow>(this.sql.claimLimited, claimValues({ ...request, quotas }));
      await this.endOverdue(session, rows, request.now);
      return { claimed: claimedExecutions(rows), isBusy };
    });
  }

  private async endOverdue(session: Session, claimed: readonly ClaimedRow[], now: Date | null): Promise<void> {
    const rows = claimed.filter(({ overdue }) => overdue);
    if (rows.length === 0) return;
    await session.query(this.sql.endOverdue, [rows.map(({ id }) => id), rows.map(({ token }) => token), now]);
  }

  async heartbeat(
    leases: readonly (Lease & { readonly startedAt: Date | null })[],
    now: Date | null,
  ): Promise<readonly LeaseStatus[]> {
    if (leases.length === 0) return [];
    const rows = await this.database.query<LeaseRow>('renew leases', this.sql.heartbeat, [
      ...leaseColumns(leases),
      leases.map(({ startedAt }) => startedAt),
      now,
    ]);
    const alive = new Map(rows.map((row) => [`${row.id}/${row.token}`, row]));
    return leases.flatMap(({ executionId, leaseToken }) => {
      const row = alive.get(`${executionId}/${leaseToken}`);
      return row === undefined ? [] : [{ executionId, leaseToken, cancelRequested: row.cancel }];
    });
  }

  async cancelRequests(leases: readonly Lease[]): Promise<readonly Lease[]> {
    if (leases.length === 0) return [];
    const [ids] = leaseColumns(leases);
    const rows = await this.database.query<CancelRequestRow>('look for cancel requests', this.sql.cancelRequests, [
      ids,
    ]);
    return rows.map(({ id, token }) => ({ executionId: id, leaseToken: token }));
  }

  finish(
    records: readonly AttemptRecord[],
    context: { readonly workerId: string; readonly now: Date | null },
  ): Promise<readonly RecordedAttempt[]> {
    return this.recorder.recordAlone(this.database, records, context);
  }

  async rescue(limit: number, now: Date | null): Promise<readonly RescuedExecution[]> {
    const rows = await this.database.query<RescuedRow>('rescue executions', this.sql.rescue, [
      now,
      limit,
      MAX_LOSSES_IN_ROW,
    ]);
    return rows.map((row) => ({
      executionId: row.id,
      ending: row.ending,
      workerId: row.worker_id,
      freedKey: row.freed_key,
    }));
  }

  async saveProgress(updates: readonly ProgressUpdate[]): Promise<void> {
    if (updates.length === 0) return;
    await this.database.query('save progress', this.sql.saveProgress, [
      ...leaseColumns(updates),
      updates.map(({ stage }) => (stage === null ? null : storableText(stage))),
      updates.map(({ percent }) => percent),
    ]);
  }

  async appendLogs(lines: readonly LogLine[]): Promise<void> {
    if (lines.length === 0) return;
    await this.database.query('append log lines', this.sql.appendLogs, [
      ...leaseColumns(lines),
      lines.map(({ lineNo }) => lineNo),
      lines.map(({ at }) => at),
      lines.map(({ level }) => level),
      lines.map(({ message }) => storableText(message).slice(0, MAX_LOG_LENGTH)),
      // Cut JSON is no JSON: fields that are too long are left out.
      lines.map(({ fields }) => (fields !== null && fields.length <= MAX_LOG_LENGTH ? fields : null)),
      MAX_LOG_LINES,
    ]);
  }
}

const claimedExecutions = (rows: readonly ClaimedRow[]): readonly ClaimedExecution[] =>
  rows.filter(({ overdue }) => !overdue).map(claimedExecution);

const queueNames = ({ quotas }: ClaimRequest): readonly string[] => quotas.map(({ queue }) => queue);

const claimValues = (request: ClaimRequest): readonly unknown[] => [
  request.workerId,
  queueNames(request),
  request.quotas.map(({ take }) => take),
  request.quotas.map(({ start }) => start),
  request.jobNames,
  request.now,
  request.lastChance ?? true,
  request.leftOut?.length ? request.leftOut : null,
];

const leaseColumns = (leases: readonly Lease[]): readonly [readonly string[], readonly string[]] => [
  leases.map(({ executionId }) => executionId),
  leases.map(({ leaseToken }) => leaseToken),
];

function claimedExecution(row: ClaimedRow): ClaimedExecution {
  return {
    executionId: row.id,
    leaseToken: row.token,
    key: row.key,
    jobName: row.job_name,
    period: row.period,
    interval:
      row.interval_start_s === null || row.interval_end_s === null
        ? null
        : { start: instantOf(row.interval_start_s), end: instantOf(row.interval_end_s) },
    scheduledFor: instantOf(row.scheduled_for_s),
    payload: row.payload,
    trigger: row.trigger,
    traceParent: row.trace_parent,
    queue: row.queue,
    concurrencyKey: row.concurrency_key,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    leaseMs: row.lease_ms,
    deadlineAt: row.deadline_s === null ? null : instantOf(row.deadline_s),
    claimedAt: instantOf(row.claimed_s),
    isLastChance: row.last_chance,
  };
}
