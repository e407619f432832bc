import type { EventSink } from '../../core/events/engine-event.js';
import type { NewExecution } from '../../core/execution/new-execution.js';
import type {
  Backfill,
  BackfillQuery,
  BackfillStore,
  CanceledBackfill,
  NewBackfill,
} from '../../core/ports/backfill-store.js';
import type { Page } from '../../core/ports/ledger-reader.js';
import type { OperatorRequest } from '../../core/ports/operator-request.js';
import type { WorkStore } from '../../core/ports/work-store.js';
import { recordsOfPeriods } from '../../core/schedule/period-lookup.js';
import { AuditWriter } from '../audit-writer.js';
import type { Database } from '../database/database.js';
import type { Session } from '../database/session.js';
import { ExecutionInserter } from '../execution-inserter.js';
import { isId } from '../ledger/cursor.js';
import type { LedgerNames } from '../ledger-names.js';
import { countBackfillSql } from '../statements/count-backfill.sql.js';
import { findKeyRecordsSql, type KeyRecordRow } from '../statements/find-key-records.sql.js';
import { insertBackfillSql } from '../statements/insert-backfill.sql.js';
import { lockSchedulesSql, type LockedVersionRow } from '../statements/lock-schedules.sql.js';
import { sendHintSql } from '../statements/send-hint.sql.js';
import { bornEnded, tellEnds, type EndedRow } from '../tell-ends.js';
import { BackfillCancel } from './backfill-cancel.js';
import { BackfillReader } from './backfill-reader.js';

const BATCH_SIZE = 1_000;

/** What became of a backfill's periods. */
interface Counts {
  readonly inserted: number;
  readonly existing: number;
  readonly pruned: number;
}

/** What one transaction wrote. */
interface Written {
  readonly counts: Counts;
  /** Those that were born skipped. */
  readonly ended: readonly EndedRow[];
}

/** Backfills and their executions. */
export class PostgresBackfillStore implements BackfillStore {
  private readonly sql;
  private readonly inserter: ExecutionInserter;
  private readonly reader: BackfillReader;
  private readonly canceling: BackfillCancel;
  private readonly audit: AuditWriter;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
    private readonly others: { readonly work: Pick<WorkStore, 'admit'>; readonly emit: EventSink },
  ) {
    this.sql = {
      lockSchedules: lockSchedulesSql(names),
      insert: insertBackfillSql(names),
      findKeys: findKeyRecordsSql(names),
      count: countBackfillSql(names),
      hint: sendHintSql(),
    };
    this.inserter = new ExecutionInserter(names);
    this.audit = new AuditWriter(names);
    this.reader = new BackfillReader(names, database);
    this.canceling = new BackfillCancel(names, database, others);
  }

  /**
   * The schedule's row stays locked until the end: ticks pass it over, other backfills of the job wait. Its keys are not
   * only looked up but also guarded by the insert, because a period may be triggered at the same moment.
   */
  async insert(backfill: NewBackfill, now: Date | null): Promise<Backfill | null> {
    const written = await this.database.transaction('insert a backfill', async (session) => {
      const { jobName, earlierNames, version } = backfill;
      const names = [jobName, ...earlierNames.flatMap(({ name, until }) => (until === null ? [name] : []))];
      const locked = await session.query<LockedVersionRow>(this.sql.lockSchedules, [names]);
      const own = locked.find(
        ({ schedule_name: name, renamed_to: successor }) => name === jobName && successor === null,
      );
      return own?.version === version ? this.write(session, backfill, now) : null;
    });
    if (written === null) return null;
    tellEnds(this.others.emit, written.ended);
    return this.find(written.id);
  }

  find(backfillId: string): Promise<Backfill | null> {
    return this.reader.find(backfillId);
  }

  list(query: BackfillQuery): Promise<Page<Backfill>> {
    return this.reader.list(query);
  }

  async cancel(backfillId: string, request: OperatorRequest): Promise<CanceledBackfill | null> {
    const canceledNow = isId(backfillId) ? await this.canceling.run(backfillId, request) : null;
    const backfill = canceledNow === null ? null : await this.find(backfillId);
    return canceledNow === null || backfill === null ? null : { ...backfill, canceledNow };
  }

  private async write(
    session: Session,
    backfill: NewBackfill,
    now: Date | null,
  ): Promise<{ readonly id: string; readonly ended: readonly EndedRow[] }> {
    const { jobName, from, to, order, executions, actor, reason } = backfill;
    const values = [jobName, from, to, order, executions.length, actor, reason, now];
    const [{ id } = { id: '' }] = await session.query<{ readonly id: string }>(this.sql.insert, values);
    let counts: Counts = { inserted: 0, existing: 0, pruned: 0 };
    const ended: EndedRow[] = [];
    for (let start = 0; start < executions.length; start += BATCH_SIZE) {
      const batch = executions.slice(start, start + BATCH_SIZE);
      const part = await this.writeBatch(session, { ...backfill, executions: batch }, { now, backfillId: id });
      counts = sum(counts, part.counts);
      ended.push(...part.ended);
    }
    await session.query(this.sql.count, [id, counts.inserted, counts.existing, counts.pruned]);
    const entry = { action: 'backfill', subject: id, jobName, executionId: null, actor, reason } as const;
    await this.audit.record(session, [{ ...entry, details: { from, to, ...counts } }], now);
    if (counts.inserted > 0) await session.query(this.sql.hint, [this.names.channel]);
    return { id, ended };
  }

  private async writeBatch(
    session: Session,
    backfill: NewBackfill,
    options: { readonly now: Date | null; readonly backfillId: string },
  ): Promise<Written> {
    const known = await this.recordsOf(session, backfill, backfill.executions);
    const fresh = backfill.executions.filter((_, index) => known[index] === 'absent');
    const rows = fresh.length === 0 ? [] : await this.inserter.insert(session, fresh, { ...options, hint: false });
    const won = new Set(rows.map(({ ord }) => ord));
    // Somebody used these keys after they were looked up.
    const late = await this.recordsOf(
      session,
      backfill,
      fresh.filter((_, index) => !won.has(index + 1)),
    );
    const used = [...known, ...late];
    const counts = {
      inserted: rows.length,
      existing: used.filter((record) => record === 'recorded').length,
      pruned: used.filter((record) => record === 'pruned').length,
    };
    return { counts, ended: bornEnded(fresh, rows) };
  }

  private recordsOf(session: Session, { jobName, earlierNames }: NewBackfill, executions: readonly NewExecution[]) {
    const ofKeys = async (keys: readonly string[]) => {
      const rows = await session.query<KeyRecordRow>(this.sql.findKeys, [keys]);
      return rows.map(({ record }) => record);
    };
    return recordsOfPeriods(executions, { jobName, earlierNames, ofKeys });
  }
}

const sum = (a: Counts, b: Counts): Counts => ({
  inserted: a.inserted + b.inserted,
  existing: a.existing + b.existing,
  pruned: a.pruned + b.pruned,
});
