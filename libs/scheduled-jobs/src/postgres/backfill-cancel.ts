import { StoreUnavailableError } from '../core/errors.js';
import type { BackfillStore } from '../core/ports/backfill-store.js';
import type { WorkStore } from '../core/ports/work-store.js';
import type { Database } from './database/database.js';
import type { LedgerNames } from './ledger-names.js';
import { cancelBackfillSql } from './statements/cancel-backfill.sql.js';
import { cancelWorkSql, type CanceledRow } from './statements/cancel-work.sql.js';
import { findBackfillWorkSql, type BackfillWorkRow } from './statements/find-backfill-work.sql.js';
import { sendHintSql } from './statements/send-hint.sql.js';

const ACTION = 'cancel a backfill';
const BATCH_SIZE = 1_000;
const MAX_WALKS = 100;
const PAUSE_MS = 50;

/** Cancels what has not started of a backfill. */
export class BackfillCancel {
  private readonly sql;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
    private readonly work: Pick<WorkStore, 'admit'>,
  ) {
    this.sql = {
      cancelBackfill: cancelBackfillSql(names),
      findWork: findBackfillWorkSql(names),
      cancelWork: cancelWorkSql(names),
      hint: sendHintSql(),
    };
  }

  /**
   * Walks over the unclaimed executions until none is left: a row that another statement holds is asked for again.
   * @returns How many were canceled; null = no backfill has this id.
   * @throws StoreUnavailableError when rows stay held; the same call may succeed later.
   */
  async run(backfillId: string, request: Parameters<BackfillStore['cancel']>[1]): Promise<number | null> {
    const { actor, reason, now } = request;
    const marked = await this.database.query(ACTION, this.sql.cancelBackfill, [backfillId, actor, reason, now]);
    if (marked.length === 0) return null;
    const freedKeys = new Set<string>();
    let canceled = 0;
    try {
      for (let walks = 1; ; walks += 1) {
        const { found, rows } = await this.walk(backfillId, now);
        for (const { freed_key: key } of rows) if (key !== null) freedKeys.add(key);
        canceled += rows.length;
        if (found === rows.length) return canceled;
        if (walks === MAX_WALKS) throw new StoreUnavailableError(ACTION);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    } finally {
      await this.handOn([...freedKeys]);
    }
  }

  private async walk(
    backfillId: string,
    now: Date | null,
  ): Promise<{ readonly found: number; readonly rows: readonly CanceledRow[] }> {
    const found = await this.database.query<BackfillWorkRow>(ACTION, this.sql.findWork, [backfillId]);
    const rows: CanceledRow[] = [];
    for (let start = 0; start < found.length; start += BATCH_SIZE) {
      const ids = found.slice(start, start + BATCH_SIZE).map(({ id }) => id);
      rows.push(...(await this.cancelUnstarted(ids, now)));
    }
    return { found: found.length, rows };
  }

  private async cancelUnstarted(ids: readonly string[], now: Date | null): Promise<readonly CanceledRow[]> {
    const rows = await this.database.query<CanceledRow>(ACTION, this.sql.cancelWork, [ids, now, false]);
    return rows.filter(({ done }) => done === 'canceled');
  }

  /** Slots that became free are for others of their concurrency keys. */
  private async handOn(freedKeys: readonly string[]): Promise<void> {
    if (freedKeys.length === 0) return;
    await this.work.admit(freedKeys);
    await this.database.query('send a hint', this.sql.hint, [this.names.channel]);
  }
}
