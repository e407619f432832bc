import { StoreUnavailableError } from '../../core/errors.js';
import type { EventSink } from '../../core/events/engine-event.js';
import type { OperatorRequest } from '../../core/ports/operator-request.js';
import type { WorkStore } from '../../core/ports/work-store.js';
import { AuditWriter } from '../audit-writer.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import { cancelBackfillSql, type CanceledBackfillRow } from '../statements/cancel-backfill.sql.js';
import { cancelWorkSql, type CanceledRow } from '../statements/cancel-work.sql.js';
import { findBackfillWorkSql, type BackfillWorkRow } from '../statements/find-backfill-work.sql.js';
import { sendHintSql } from '../statements/send-hint.sql.js';
import { canceledEnds, tellEnds } from '../tell-ends.js';

const ACTION = 'cancel a backfill';
const BATCH_SIZE = 1_000;
const MAX_WALKS = 100;
const PAUSE_MS = 50;

/** Cancels what has not started of a backfill. */
export class BackfillCancel {
  private readonly sql;
  private readonly audit: AuditWriter;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
    private readonly others: { readonly work: Pick<WorkStore, 'admit'>; readonly emit: EventSink },
  ) {
    this.sql = {
      cancelBackfill: cancelBackfillSql(names),
      findWork: findBackfillWorkSql(names),
      cancelWork: cancelWorkSql(names),
      hint: sendHintSql(),
    };
    this.audit = new AuditWriter(names);
  }

  /**
   * Walks over the unclaimed executions until none is left: a row that another statement holds is asked for again.
   * @returns How many were canceled; null = no backfill has this id.
   * @throws StoreUnavailableError when rows stay held; the same call may succeed later.
   */
  async run(backfillId: string, request: OperatorRequest): Promise<number | null> {
    const { now } = request;
    if (!(await this.mark(backfillId, request))) return null;
    const canceled: CanceledRow[] = [];
    try {
      await this.cancelUnclaimed(backfillId, { now, canceled });
    } finally {
      await this.handOn(canceled, now);
    }
    return canceled.length;
  }

  private mark(backfillId: string, { actor, reason, now }: OperatorRequest): Promise<boolean> {
    return this.database.transaction(ACTION, async (session) => {
      const values = [backfillId, actor, reason, now];
      const [marked] = await session.query<CanceledBackfillRow>(this.sql.cancelBackfill, values);
      if (marked === undefined) return false;
      const { job_name: jobName, changed } = marked;
      const about = { subject: backfillId, jobName, executionId: null, actor, reason, details: null };
      await this.audit.record(session, changed ? [{ action: 'cancel-backfill', ...about }] : [], now);
      return true;
    });
  }

  private async cancelUnclaimed(
    backfillId: string,
    { now, canceled }: { readonly now: Date | null; readonly canceled: CanceledRow[] },
  ): Promise<void> {
    for (let walks = 1; walks <= MAX_WALKS; walks += 1) {
      const found = await this.database.query<BackfillWorkRow>(ACTION, this.sql.findWork, [backfillId]);
      const before = canceled.length;
      for (let start = 0; start < found.length; start += BATCH_SIZE) {
        const ids = found.slice(start, start + BATCH_SIZE).map(({ id }) => id);
        const rows = await this.database.query<CanceledRow>(ACTION, this.sql.cancelWork, [ids, now, false]);
        tellEnds(this.others.emit, canceledEnds(rows));
        canceled.push(...rows.filter(({ done }) => done === 'canceled'));
      }
      if (canceled.length - before === found.length) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new StoreUnavailableError(ACTION);
  }

  /** Slots that became free are for others of their concurrency keys. */
  private async handOn(canceled: readonly CanceledRow[], now: Date | null): Promise<void> {
    const freedKeys = new Set(canceled.flatMap(({ freed_key: key }) => key ?? []));
    if (freedKeys.size === 0) return;
    await this.others.work.admit([...freedKeys], now);
    await this.database.query('send a hint', this.sql.hint, [this.names.channel]);
  }
}
