import type { NewExecution } from '../core/execution/new-execution.js';
import type { Session } from './database/session.js';
import type { LedgerNames } from './ledger-names.js';
import { insertExecutionsSql, type InsertedRow } from './statements/insert-executions.sql.js';

/** Inserts executions by one statement, for callers and ticks alike. */
export class ExecutionInserter {
  private readonly sql: string;

  constructor(private readonly names: LedgerNames) {
    this.sql = insertExecutionsSql(names);
  }

  /**
   * The new rows; an execution whose key was used before has none.
   * @param options `backfillId`: the backfill that all of them belong to, if any. `lockTimeoutMs`: how long it may wait for a
   *   key that another transaction holds; it lasts to the end of the transaction. Default as the session has it.
   */
  insert(
    session: Session,
    executions: readonly NewExecution[],
    options: {
      readonly now: Date | null;
      readonly hint: boolean;
      readonly backfillId?: string;
      readonly lockTimeoutMs?: number | null;
    },
  ): Promise<readonly InsertedRow[]> {
    return session.query<InsertedRow>(this.sql, [
      executions.map((execution) => execution.key),
      executions.map((execution) => execution.jobName),
      executions.map((execution) => execution.period),
      executions.map((execution) => execution.interval?.start ?? null),
      executions.map((execution) => execution.interval?.end ?? null),
      executions.map((execution) => execution.scheduledFor),
      executions.map((execution) => execution.runAt),
      executions.map((execution) => execution.queue),
      executions.map((execution) => execution.priority),
      executions.map((execution) => execution.payload),
      executions.map((execution) => execution.concurrencyKey),
      executions.map((execution) => execution.maxAttempts),
      executions.map((execution) => execution.leaseMs),
      executions.map((execution) => execution.deadlineMs),
      executions.map((execution) => execution.trigger),
      executions.map((execution) => execution.actor),
      executions.map((execution) => execution.skip),
      options.now,
      options.hint ? this.names.channel : null,
      options.backfillId ?? null,
      executions.some(({ key }) => key !== null) ? (options.lockTimeoutMs ?? null) : null,
    ]);
  }
}
