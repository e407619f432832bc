import type { DataSource } from 'typeorm';
import { Database } from './database/database.js';
import { ledgerNames } from './ledger-names.js';
import { clearLedgerSql } from './statements/clear-ledger.sql.js';
import { findDueWorkSql, type DueWorkRow } from './statements/find-due-work.sql.js';
import { findWaitingKeysSql, type WaitingKeyRow } from './statements/find-waiting-keys.sql.js';

/** An execution that could run now, or runs. */
export interface DueExecution {
  readonly key: string;
  readonly queue: string;
  readonly isRunning: boolean;
  /** For a slot that is free. */
  readonly isWaiting: boolean;
}

/** What only tests ask of a ledger. */
export class TestLedger {
  private readonly database: Database;
  private readonly sql;

  constructor(dataSource: DataSource, schema: string) {
    const names = ledgerNames(schema);
    this.database = new Database(dataSource);
    this.sql = { due: findDueWorkSql(names), waiting: findWaitingKeysSql(names), clear: clearLedgerSql(names) };
  }

  /** The first executions of these jobs that could run now or run, at most `limit`. */
  async due(jobNames: readonly string[], now: Date | null, limit: number): Promise<readonly DueExecution[]> {
    const rows = await this.database.query<DueWorkRow>('look for due work', this.sql.due, [jobNames, now, limit]);
    return rows.map(({ key, queue, is_leased: isRunning, is_waiting: isWaiting }) => ({
      key,
      queue,
      isRunning,
      isWaiting,
    }));
  }

  /** The concurrency keys for whose slots something waits. */
  async waitingKeys(): Promise<readonly string[]> {
    const rows = await this.database.query<WaitingKeyRow>('look for waiting work', this.sql.waiting, []);
    return rows.map(({ concurrency_key: key }) => key);
  }

  /** Removes everything that is recorded, keys included. */
  async clear(): Promise<void> {
    await this.database.query('empty the ledger', this.sql.clear, []);
  }
}
