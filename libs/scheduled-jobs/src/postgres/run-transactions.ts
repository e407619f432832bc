import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { ExecutionCanceledError, LeaseLostError, TransactionIdleError } from '../core/errors.js';
import type { AttemptRecord, RecordedAttempt, StoredError } from '../core/execution/attempt-record.js';
import type { Lease } from '../core/execution/claimed-execution.js';
import type {
  Checkpoint,
  CommittedWith,
  FoundCheckpoint,
  RunLease,
  RunTransactions,
} from '../core/ports/run-transactions.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { Database } from './database/database.js';
import { poolSizeOf } from './database/pool-size.js';
import { ANSWER_MS, ClientSession, type Session } from './database/session.js';
import { storableText } from './database/storable-text.js';
import { isIdleInTransaction, isUnavailable, needsNewConnection, storeError } from './database/store-errors.js';
import { PostgresItemKeyStore } from './item-key-store.js';
import type { LedgerNames } from './ledger-names.js';
import { RunPermits } from './run-permits.js';
import { commitWithRunSql } from './statements/commit-with-run.sql.js';
import { fenceRunSql, type FenceRow } from './statements/fence-run.sql.js';
import { findCheckpointSql, type CheckpointRow } from './statements/find-checkpoint.sql.js';
import { readLeaseSql } from './statements/read-lease.sql.js';
import { PostgresStepStore } from './step-store.js';

/** Connections that runs leave to claims, renewals of leases and ends. */
const SPARE_CONNECTIONS = 2;

/**
 * Transactions of runs. The fence is the last statement before the commit: one at the start would not stop what a frozen
 * worker does later, and its lock would block rescue. The server ends a transaction whose process stays silent for as long
 * as the lease, so that its row locks do not hold up the run that takes over.
 *
 * Runs never use the last two connections of the pool, and only one at a time when it has no more than three: what keeps
 * their leases needs a connection, too.
 */
export class PostgresRunTransactions implements RunTransactions<EntityManager> {
  readonly steps: PostgresStepStore;
  readonly itemKeys: PostgresItemKeyStore;
  private readonly sql;
  private readonly recorder: AttemptRecorder;
  private readonly permits = new RunPermits(() => Math.max(poolSizeOf(this.dataSource) - SPARE_CONNECTIONS, 1));

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
    this.itemKeys = new PostgresItemKeyStore(names);
    this.steps = new PostgresStepStore(names, database);
  }

  async checkpoint(lease: Lease, itemsName: string): Promise<FoundCheckpoint | null> {
    const [row] = await this.database.query<CheckpointRow>('read a checkpoint', this.sql.findCheckpoint, [
      lease.executionId,
      itemsName,
    ]);
    if (row === undefined) return null;
    const { items_name, after_key: after, done, failures, frozen, retry_up_to: retryUpTo } = row;
    return {
      itemsName: items_name,
      after,
      done,
      failures,
      ...(frozen === null ? {} : { frozen }),
      ...(retryUpTo === null ? {} : { retryUpTo }),
    };
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

  private inTransaction<T, R>(
    lease: RunLease,
    work: (tx: EntityManager) => Promise<T>,
    end: (session: Session, value: T) => Promise<R>,
  ): Promise<R> {
    return this.permits.within(lease.leaseToken, lease.signal, async () => {
      const runner = this.dataSource.createQueryRunner('master');
      try {
        const transaction = new RunTransaction(lease, runner, await this.sessionOf(runner, lease));
        return await transaction.run(work, end);
      } finally {
        await runner.release();
      }
    });
  }

  private async sessionOf(runner: QueryRunner, lease: RunLease): Promise<ClientSession> {
    try {
      return await ClientSession.of(runner, ANSWER_MS);
    } catch (error) {
      throw storeError(error, actionOf(lease));
    }
  }

  private endOfRun(session: Session, lease: Lease, committed: CommittedWith): Promise<readonly FenceRow[]> {
    const { counts, checkpoint, failedItem, retried = 0 } = committed;
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
      checkpoint?.frozen ?? null,
      retried,
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

/** One transaction of a run on its connection. */
class RunTransaction {
  /** What the work threw: it reaches the handler unchanged, unless the server had ended the transaction before. */
  private thrown: { readonly error: unknown } | null = null;
  private isIdle = false;

  constructor(
    private readonly lease: RunLease,
    private readonly runner: QueryRunner,
    private readonly session: ClientSession,
  ) {}

  async run<T, R>(
    work: (tx: EntityManager) => Promise<T>,
    end: (session: Session, value: T) => Promise<R>,
  ): Promise<R> {
    const stopListening = this.session.onConnectionError((error) => {
      this.isIdle ||= isIdleInTransaction(error);
    });
    try {
      return await this.commit(work, end);
    } catch (error) {
      await this.rollBack(error);
      throw this.reason(error);
    } finally {
      stopListening();
    }
  }

  private async commit<T, R>(
    work: (tx: EntityManager) => Promise<T>,
    end: (session: Session, value: T) => Promise<R>,
  ): Promise<R> {
    const { runner, session, lease } = this;
    const leaseMs = Math.max(1, Math.ceil(lease.leaseMs));
    await session.answered(ANSWER_MS, () => runner.startTransaction('READ COMMITTED'));
    await session.query(`set local idle_in_transaction_session_timeout = ${leaseMs}`);
    const ended = await end(session, await this.worked(work));
    // Constraints that are checked at the commit may take their time.
    await session.answered(Math.max(ANSWER_MS, leaseMs), () => runner.commitTransaction());
    return ended;
  }

  private async worked<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(this.runner.manager);
    } catch (error) {
      this.thrown = { error };
      throw error;
    }
  }

  private async rollBack(error: unknown): Promise<void> {
    const { runner, session } = this;
    if (needsNewConnection(error)) return session.discard();
    try {
      await session.answered(ANSWER_MS, () => runner.rollbackTransaction());
    } catch {
      // The connection must not go back to the pool inside its transaction.
      if (!runner.isReleased && runner.isTransactionActive) await session.discard();
    }
  }

  private reason(error: unknown): unknown {
    const { key, leaseMs } = this.lease;
    const isIdle = this.isIdle || isIdleInTransaction(error);
    if (isIdle && (this.thrown === null || isUnavailable(error))) {
      return new TransactionIdleError(key, leaseMs, { cause: error });
    }
    return this.thrown === null ? storeError(error, actionOf(this.lease)) : error;
  }
}

const actionOf = ({ key }: RunLease): string => `commit a transaction of "${key}"`;

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
  item === null
    ? [null, null, null, null, null, null, null]
    : [storableText(String(item.itemKey)), ...errorValues(item.error), typeof item.itemKey === 'number'];

const errorValues = (error: StoredError): readonly (string | null)[] => [
  storableText(error.errorClass),
  error.code === null ? null : storableText(error.code),
  storableText(error.message),
  error.stack === null ? null : storableText(error.stack),
  storableText(error.fingerprint),
];
