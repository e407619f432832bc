import type { EntityManager } from 'typeorm';
import { StoreUnavailableError } from '../core/errors.js';
import type { NewExecution } from '../core/execution/new-execution.js';
import type { ExecutionStore, ExistingExecution, Inserted } from '../core/ports/execution-store.js';
import type { OperatorRequest } from '../core/ports/operator-request.js';
import { AuditWriter } from './audit-writer.js';
import type { Database } from './database/database.js';
import { ClientSession, type Session } from './database/session.js';
import { ExecutionInserter } from './execution-inserter.js';
import type { HintSender } from './hint-sender.js';
import { InsertGroups, type GroupInsertOptions } from './insert-groups.js';
import type { LedgerNames } from './ledger-names.js';
import { findBlockerSql, type BlockerRow } from './statements/find-blocker.sql.js';
import { findExistingSql, type ExistingRow } from './statements/find-existing.sql.js';
import { findUsedKeysSql, type UsedKeyRow } from './statements/find-used-keys.sql.js';
import type { InsertedRow } from './statements/insert-executions.sql.js';

const ACTION = 'insert executions';
/** A connection that the caller passes in is the caller's to end. */
const CALLERS_OWN_MS = 0;

/** Inserts executions, in a transaction of their own, single ones together, or in the caller's. */
export class PostgresExecutionStore implements ExecutionStore<EntityManager> {
  private readonly inserter: ExecutionInserter;
  private readonly groups = new InsertGroups((executions, options) => this.insertTogether(executions, options));
  private readonly audit: AuditWriter;
  private readonly findUsedKeys: string;
  private readonly findExisting: string;
  private readonly blocker: string;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
    private readonly hints: HintSender,
  ) {
    this.inserter = new ExecutionInserter(names);
    this.audit = new AuditWriter(names);
    this.findUsedKeys = findUsedKeysSql(names);
    this.findExisting = findExistingSql(names);
    this.blocker = findBlockerSql(names);
  }

  async insert(
    executions: readonly NewExecution[],
    options: { readonly tx: EntityManager | null; readonly now: Date | null },
  ): Promise<readonly Inserted[]> {
    if (executions.length === 0) return [];
    const runner = options.tx?.queryRunner;
    if (runner === undefined) return this.insertAlone(executions, options.now);
    const session = await ClientSession.of(runner, CALLERS_OWN_MS);
    // A transaction that was opened by hand calls no hook of the ORM: its hint has to travel inside.
    const rows = await this.inserter.insert(session, executions, {
      now: options.now,
      hint: !runner.isTransactionActive,
    });
    if (rows.length > 0 && runner.isTransactionActive) this.hints.sendAfterCommit(runner);
    const inserted = await answers(executions, rows, (keys) => usedKeys(session, this.findUsedKeys, keys));
    return allFound(executions, inserted);
  }

  insertTriggered(execution: NewExecution, { actor, reason, now }: OperatorRequest): Promise<Inserted> {
    return this.database.transaction(ACTION, async (session) => {
      const rows = await this.inserter.insert(session, [execution], { now, hint: true });
      const find = (keys: readonly string[]) => usedKeys(session, this.findUsedKeys, keys);
      const [inserted] = allFound([execution], await answers([execution], rows, find)) as readonly [Inserted];
      const { executionId, key: subject, created } = inserted;
      const about = { subject, jobName: execution.jobName, executionId, actor, reason, details: null };
      await this.audit.record(session, created ? [{ action: 'trigger', ...about }] : [], now);
      return inserted;
    });
  }

  async existing(executionIds: readonly string[], tx: EntityManager | null): Promise<readonly ExistingExecution[]> {
    if (executionIds.length === 0) return [];
    const runner = tx?.queryRunner;
    const rows =
      runner === undefined
        ? await this.database.query<ExistingRow>('read executions', this.findExisting, [executionIds])
        : await (await ClientSession.of(runner, CALLERS_OWN_MS)).query<ExistingRow>(this.findExisting, [executionIds]);
    return rows.map(({ id, key, state, result }) => ({ executionId: id, key, state, result }));
  }

  async findBlocker(execution: {
    readonly concurrencyKey: string;
    readonly concurrency: number;
    readonly key: string | null;
  }): Promise<{ readonly executionId: string; readonly key: string } | null> {
    const { concurrencyKey, concurrency, key } = execution;
    const values = [concurrencyKey, concurrency, key];
    const [row] = await this.database.query<BlockerRow>('look for an overlap', this.blocker, values);
    return row === undefined ? null : { executionId: row.id, key: row.key };
  }

  private async insertAlone(executions: readonly NewExecution[], now: Date | null): Promise<readonly Inserted[]> {
    const [first] = executions;
    if (executions.length === 1 && first !== undefined) return [await this.groups.insert(first, now)];
    return allFound(executions, await this.insertTogether(executions, { now, lockTimeoutMs: null }));
  }

  private async insertTogether(
    executions: readonly NewExecution[],
    options: GroupInsertOptions,
  ): Promise<readonly (Inserted | null)[]> {
    const hint = this.hints.takeImmediate();
    const planned: Session = { query: (text, values = []) => this.database.queryPlanned(ACTION, text, values) };
    const session: Session = { query: (text, values = []) => this.database.query(ACTION, text, values) };
    const rows = await this.inserter.insert(planned, executions, { ...options, hint });
    if (rows.length > 0 && !hint) this.hints.sendSoon();
    return answers(executions, rows, (keys) => usedKeys(session, this.findUsedKeys, keys));
  }
}

/** Null = neither new nor found by its key. */
async function answers(
  executions: readonly NewExecution[],
  rows: readonly InsertedRow[],
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<readonly (Inserted | null)[]> {
  const created: (InsertedRow | undefined)[] = Array.from({ length: executions.length });
  for (const row of rows) created[row.ord - 1] = row;
  const usedBefore =
    rows.length === executions.length
      ? []
      : executions.flatMap(({ key }, index) => (created[index] || key === null ? [] : [key]));
  const ids = usedBefore.length === 0 ? new Map<string, string>() : await find(usedBefore);
  return executions.map(({ key }, index) => {
    const row = created[index];
    if (row !== undefined) return { executionId: row.id, key: row.key, created: true };
    const executionId = key === null ? undefined : ids.get(key);
    return key === null || executionId === undefined ? null : { executionId, key, created: false };
  });
}

/** @throws StoreUnavailableError when one was neither new nor found by its key. */
function allFound(executions: readonly NewExecution[], inserted: readonly (Inserted | null)[]): readonly Inserted[] {
  return inserted.map((one, index) => {
    if (one === null) throw new StoreUnavailableError(`find the execution of "${executions[index]?.key}"`);
    return one;
  });
}

async function usedKeys(session: Session, sql: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<UsedKeyRow>(sql, [keys]);
  return new Map(rows.map((row) => [row.key, row.id]));
}
