import type { DataSource, EntityManager } from 'typeorm';
import { ExecutionCanceledError, LeaseLostError } from '../core/errors.js';
import type { AttemptRecord, RecordedAttempt, StoredError } from '../core/execution/attempt-record.js';
import type { Lease } from '../core/execution/claimed-execution.js';
import type { Checkpoint, CommittedWith, RunTransactions } from '../core/ports/run-transactions.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { Database } from './database/database.js';
import { ClientSession, type Session } from './database/session.js';
import { storableText } from './database/storable-text.js';
import { storeError } from './database/store-errors.js';
import type { LedgerNames } from './ledger-names.js';
import { commitWithRunSql } from './statements/commit-with-run.sql.js';
import { fenceRunSql, type FenceRow } from './statements/fence-run.sql.js';
import { findCheckpointSql, type CheckpointRow } from './statements/find-checkpoint.sql.js';
import { readLeaseSql } from './statements/read-lease.sql.js';

type RunLease = Lease & { readonly key: string; readonly leaseMs: number };

/**
 * Transactions of runs. The fence is the last statement before the commit: one at the start would not stop what a frozen
 * worker does later, and its lock would block rescue. The server ends a transaction whose process stays silent for as long
 * as the lease, so that its row locks do not hold up the run that takes over.
 */
export class PostgresRunTransactions implements RunTransactions<EntityManager> {
  private readonly sql;
  private readonly recorder: AttemptRecorder;

  constructor(
    names: LedgerNames,
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {
    this.sql = {
      commitWithRun: commitWithRunSql(names),
      fence: fenceRunSql(names),
      findCheckpoint: findCheckpointSql(names),
      readLease: readLeaseSql(names),
    };
    this.recorder = new AttemptRecorder(names);
  }

  async checkpoint(lease: Lease, itemsName: string): Promise<Checkpoint | null> {
    const [row] = await this.database.query<CheckpointRow>('read a checkpoint', this.sql.findCheckpoint, [
      lease.executionId,
      itemsName,
    ]);
    if (row === undefined) return null;
    return { itemsName: row.items_name, after: row.after_key, done: row.done, failures: row.failures };
  }

  run<T>(
    lease: RunLease,
    work: (tx: EntityManager) => Promise<T>,
    committedWith: (value: T) => CommittedWith,
  ): Promise<T> {
    return this.inTransaction(lease, work, async (session, value) => {
      const [fence] = await this.endOfRun(session, lease, committedWith(value));
      if (fence === undefined) throw new LeaseLostError(lease.key, lease.leaseToken);
      if (fence.cancel) throw new ExecutionCanceledError(lease.key);
      return value;
    });
  }

  runAndFinish(
    lease: RunLease,
    work: (tx: EntityManager) => Promise<AttemptRecord>,
    workerId: string,
  ): Promise<RecordedAttempt> {
    return this.inTransaction(lease, work, async (session, record) => {
      const recorded = await this.recorder.recordWithin(session, record, { workerId, now: null });
      if (recorded === null) throw await this.refusal(session, lease);
      if (recorded.disposition !== record.disposition) throw new ExecutionCanceledError(lease.key);
      return recorded;
    });
  }

  private async inTransaction<T, R>(
    lease: RunLease,
    work: (tx: EntityManager) => Promise<T>,
    end: (session: Session, value: T) => Promise<R>,
  ): Promise<R> {
    // What the handler throws reaches it unchanged; only failures around it are the store's.
    let thrown: { readonly error: unknown } | null = null;
    try {
      return await this.dataSource.transaction('READ COMMITTED', async (tx) => {
        const session = await sessionOf(tx);
        await session.query(`set local idle_in_transaction_session_timeout = ${Math.max(1, Math.ceil(lease.leaseMs))}`);
        let value: T;
        try {
          value = await work(tx);
        } catch (error) {
          thrown = { error };
          throw error;
        }
        return end(session, value);
      });
    } catch (error) {
      throw thrown === null ? storeError(error, `commit a transaction of "${lease.key}"`) : error;
    }
  }

  private endOfRun(session: Session, lease: Lease, committed: CommittedWith): Promise<readonly FenceRow[]> {
    const { counts, checkpoint, failedItem } = committed;
    const ids = [lease.executionId, lease.leaseToken];
    if (checkpoint === null && failedItem === null && !counts.processed && !counts.failed && !counts.skipped) {
      return session.query<FenceRow>(this.sql.fence, ids);
    }
    return session.query<FenceRow>(this.sql.commitWithRun, [
      ...ids,
      counts.processed,
      counts.failed,
      counts.skipped,
      ...checkpointValues(checkpoint),
      ...failedItemValues(failedItem),
    ]);
  }

  /** Why an attempt could not be recorded: the row is still ours only when it was asked to stop. */
  private async refusal(session: Session, lease: RunLease): Promise<Error> {
    const [row] = await session.query<FenceRow>(this.sql.readLease, [lease.executionId, lease.leaseToken]);
    return row?.cancel === true
      ? new ExecutionCanceledError(lease.key)
      : new LeaseLostError(lease.key, lease.leaseToken);
  }
}

async function sessionOf(tx: EntityManager): Promise<ClientSession> {
  if (tx.queryRunner === undefined) throw new TypeError('A transaction of the data source has no query runner.');
  return ClientSession.of(tx.queryRunner);
}

const checkpointValues = (checkpoint: Checkpoint | null): readonly unknown[] =>
  checkpoint === null
    ? [null, null, null, null]
    : [
        checkpoint.itemsName,
        checkpoint.after === null ? null : JSON.stringify(checkpoint.after),
        checkpoint.done,
        checkpoint.failures,
      ];

const failedItemValues = (item: CommittedWith['failedItem']): readonly unknown[] =>
  item === null ? [null, null, null, null, null, null] : [storableText(item.itemKey), ...errorValues(item.error)];

const errorValues = (error: StoredError): readonly (string | null)[] => [
  storableText(error.errorClass),
  error.code === null ? null : storableText(error.code),
  storableText(error.message),
  error.stack === null ? null : storableText(error.stack),
  storableText(error.fingerprint),
];
