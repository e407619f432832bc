import type { EventSink } from '../core/events/engine-event.js';
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
import { storableText } from './database/storable-text.js';
import { keptStatements } from './kept-statements.js';
import type { LedgerNames } from './ledger-names.js';
import { analyzeWorkSql } from './statements/analyze-work.sql.js';
import { appendLogsSql, MAX_LOG_LENGTH, MAX_LOG_LINES } from './statements/append-logs.sql.js';
import { findCancelRequestsSql, type CancelRequestRow } from './statements/find-cancel-requests.sql.js';
import { handleJobsSql } from './statements/handle-jobs.sql.js';
import { lookAtGatesSql, type GatesRow } from './statements/look-at-gates.sql.js';
import type { WorkOutlookRow } from './statements/look-for-work.sql.js';
import { promoteDueSql } from './statements/promote-due.sql.js';
import { renewLeasesSql, type LeaseRow } from './statements/renew-leases.sql.js';
import { MAX_LOSSES_IN_ROW, rescueExpiredSql, type RescuedRow } from './statements/rescue-expired.sql.js';
import { bringBackHeldSql } from './statements/bring-back-held.sql.js';
import { saveProgressSql } from './statements/save-progress.sql.js';
import { tellEnds } from './tell-ends.js';
import { WorkClaims } from './work-claims.js';

/**
 * Claims, renews and ends leases. Each method is one statement in a transaction of its own, but for `admit`, see
 * Admission, `look`, which asks a second one about gated queues, and the claims, see WorkClaims. Apart from `finish` nothing here waits for a work row.
 */
export class PostgresWorkStore implements WorkStore {
  private readonly sql;
  private readonly admission: Admission;
  private readonly recorder: AttemptRecorder;
  private readonly claims: WorkClaims;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
    private readonly emit: EventSink,
  ) {
    const kept = keptStatements(names);
    this.sql = {
      look: kept.look,
      claim: kept.claim,
      lookAtGates: lookAtGatesSql(names),
      promote: promoteDueSql(names),
      heartbeat: renewLeasesSql(names),
      cancelRequests: findCancelRequestsSql(names),
      rescue: rescueExpiredSql(names),
      saveProgress: saveProgressSql(names),
      appendLogs: appendLogsSql(names),
      handle: handleJobsSql(names),
      bringBack: bringBackHeldSql(names),
      analyze: analyzeWorkSql(names),
    };
    this.admission = new Admission(names, database, emit);
    this.recorder = new AttemptRecorder(names);
    this.claims = new WorkClaims(names, database, emit);
  }

  async look(
    queues: readonly string[],
    now: Date | null,
    { leases = false }: { readonly leases?: boolean } = {},
  ): Promise<WorkOutlook> {
    const [row] = await this.database.queryKept<WorkOutlookRow>('look for work', this.sql.look, [queues, now, leases]);
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
    // The plan of a kept claim does not go by statistics.
    if (this.database.keeps(this.sql.claim)) return;
    await this.database.query('look at the work anew', this.sql.analyze, []);
  }

  async handle(jobNames: readonly string[], now: Date | null): Promise<void> {
    await this.database.query('say which jobs a worker handles', this.sql.handle, [jobNames, now]);
  }

  async bringBack(jobNames: readonly string[], limit: number): Promise<number> {
    return (await this.database.query('bring held executions back', this.sql.bringBack, [jobNames, limit])).length;
  }

  claim(request: ClaimRequest): Promise<readonly ClaimedExecution[]> {
    return this.claims.claim(request);
  }

  claimGated(request: ClaimRequest): Promise<GatedClaim> {
    return this.claims.claimGated(request);
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
    tellEnds(
      this.emit,
      rows.flatMap(({ job_name, ending }) => (ending === null ? [] : [{ job_name, state: ending }])),
    );
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

const leaseColumns = (leases: readonly Lease[]): readonly [readonly string[], readonly string[]] => [
  leases.map(({ executionId }) => executionId),
  leases.map(({ leaseToken }) => leaseToken),
];
