import type { NewExecution } from '../core/execution/new-execution.js';
import type { Session } from './database/session.js';
import type { LedgerNames } from './ledger-names.js';
import { insertAlikeSql } from './statements/insert-alike.sql.js';
import { insertExecutionsSql, type InsertedRow } from './statements/insert-executions.sql.js';

/** Inserts executions by one statement, for callers and ticks; a leaner one for those that are plain and alike. */
export class ExecutionInserter {
  private readonly sql;

  constructor(private readonly names: LedgerNames) {
    this.sql = { any: insertExecutionsSql(names), alike: insertAlikeSql(names) };
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
    const [first] = executions;
    if (options.backfillId === undefined && first !== undefined && areAlike(first, executions)) {
      return session.query<InsertedRow>(this.sql.alike, this.alikeValues(first, executions, options));
    }
    return session.query<InsertedRow>(this.sql.any, [
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
      // a shorter list is filled up with nulls
      executions.some(({ traceParent }) => traceParent !== null)
        ? executions.map(({ traceParent }) => traceParent)
        : [],
    ]);
  }

  private alikeValues(
    first: NewExecution,
    executions: readonly NewExecution[],
    { now, hint }: { readonly now: Date | null; readonly hint: boolean },
  ): readonly unknown[] {
    const { jobName, queue, priority, maxAttempts, leaseMs, deadlineMs, trigger, actor, traceParent } = first;
    return [
      jobName,
      queue,
      priority,
      maxAttempts,
      leaseMs,
      deadlineMs,
      trigger,
      actor,
      executions.map(({ payload }) => payload),
      executions.map(({ scheduledFor }) => scheduledFor),
      now,
      hint ? this.names.channel : null,
      traceParent,
    ];
  }
}

/** Whether they have no key or anything else that is rare, and differ in payload and nominal time at most. */
const areAlike = (first: NewExecution, executions: readonly NewExecution[]): boolean =>
  executions.every(
    (one) =>
      one.key === null &&
      one.concurrencyKey === null &&
      one.skip === null &&
      one.runAt === null &&
      one.period === null &&
      one.interval === null &&
      one.jobName === first.jobName &&
      one.queue === first.queue &&
      one.priority === first.priority &&
      one.maxAttempts === first.maxAttempts &&
      one.leaseMs === first.leaseMs &&
      one.deadlineMs === first.deadlineMs &&
      one.trigger === first.trigger &&
      one.actor === first.actor &&
      one.traceParent === first.traceParent,
  );
