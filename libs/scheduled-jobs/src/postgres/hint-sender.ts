import type { DataSource, EntitySubscriberInterface, QueryRunner } from 'typeorm';
import type { Database } from './database/database.js';
import type { LedgerNames } from './ledger-names.js';
import { sendHintSql } from './statements/send-hint.sql.js';

const IMMEDIATE_EVERY_MS = 50;
const COALESCE_MS = 5;

/**
 * Tells listening workers that there may be work. A notification inside every transaction would halve the rate of inserts
 * (PostgreSQL sends them one transaction after the other), so the first in a while travels inside, the others are sent
 * together shortly after. A hint that gets lost costs one poll.
 */
export class HintSender {
  private readonly sql = sendHintSql();
  private readonly promised = new WeakSet<QueryRunner>();
  private nextImmediateMs = 0;
  private timer: NodeJS.Timeout | null = null;
  private subscribed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly names: LedgerNames,
  ) {}

  /** Tells whether the insert that is about to run should carry the hint; at most once in 50 ms. */
  takeImmediate(): boolean {
    const nowMs = performance.now();
    if (nowMs < this.nextImmediateMs) return false;
    this.nextImmediateMs = nowMs + IMMEDIATE_EVERY_MS;
    return true;
  }

  /** Sends one hint for all calls of the next 5 ms. */
  sendSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.database.query('send a hint', this.sql, [this.names.channel]).catch(() => {});
    }, COALESCE_MS).unref();
  }

  /** Sends a hint once the caller's transaction has really committed, not when one of its savepoints is released. */
  sendAfterCommit(runner: QueryRunner): void {
    this.promised.add(runner);
    if (this.subscribed) return;
    this.subscribed = true;
    this.dataSource.subscribers.push(this.subscriber());
  }

  private subscriber(): EntitySubscriberInterface {
    return {
      afterTransactionCommit: ({ queryRunner }) => {
        if (!queryRunner.isTransactionActive && this.promised.delete(queryRunner)) this.sendSoon();
      },
      afterTransactionRollback: ({ queryRunner }) => {
        if (!queryRunner.isTransactionActive) this.promised.delete(queryRunner);
      },
    };
  }
}
