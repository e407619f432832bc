import type { NewExecution } from '../core/execution/new-execution.js';
import type { Session } from './database/session.js';
import type { LedgerNames } from './ledger-names.js';
import { insertAlikeSql, type InsertedAlikeRow } from './statements/insert-alike.sql.js';
import { insertExecutionsSql, type InsertedRow } from './statements/insert-executions.sql.js';

/** Inserts executions by one statement, for callers and ticks; a leaner one for those that are plain and alike. */
export class ExecutionInserter {
  private readonly sql;

  constructor(private readonly names: LedgerNames) {
    this.sql = {
      any: insertExecutionsSql(names),
      alike: insertAlikeSql(names, { keyed: false }),
      alikeKeyed: insertAlikeSql(names, { keyed: true }),
    };
  }

  /**
   * The new rows; an execution whose key was used before has none.
   * @param options `backfillId`: the backfill that all of them belong to, if any. `lockTimeoutMs`: how long it may wait for a
   *   key that another transaction holds; it lasts to the end of the transaction. Default as the session has it.
   */
  async insert(
    session: Session,
    executions: readonly NewExecution[],
    options: {
      readonly now: Date | null;
      readonly hint: boolean;
      readonly backfillId?: string;
      readonly lockTimeoutMs?: number | null;
    },
  ): Promise<readonly InsertedRow[]> {
    if (options.backfillId === undefined && areAlike(executions)) return this.insertAlike(session, executions, options);
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

  private async insertAlike(
    session: Session,
    executions: SomeExecutions,
    options: { readonly now: Date | null; readonly hint: boolean; readonly lockTimeoutMs?: number | null },
  ): Promise<readonly InsertedRow[]> {
    const { jobName, queue, priority, maxAttempts, leaseMs, deadlineMs, trigger, actor, traceParent } = executions[0];
    const keyed = executions.some(({ key }) => key !== null);
    const [row] = await session.query<InsertedAlikeRow>(keyed ? this.sql.alikeKeyed : this.sql.alike, [
      jobName,
      queue,
      priority,
      maxAttempts,
      leaseMs,
      deadlineMs,
      trigger,
      actor,
      `[${executions.map(({ payload }) => payload ?? 'null').join(',')}]`,
      executions.some(({ scheduledFor }) => scheduledFor !== null)
        ? executions.map(({ scheduledFor }) => scheduledFor)
        : null,
      options.now,
      options.hint ? this.names.channel : null,
      traceParent,
      ...(keyed ? [JSON.stringify(executions.map(({ key }) => key)), options.lockTimeoutMs ?? null] : []),
    ]);
    const ids = row?.ids?.split(',') ?? [];
    const ords = row?.ords?.split(',').map(Number) ?? null;
    return ids.map((id, index) => {
      const ord = ords === null ? index + 1 : (ords[index] as number);
      return { ord, id, key: executions[ord - 1]?.key ?? `${jobName}:id:${id}` };
    });
  }
}

type SomeExecutions = readonly [NewExecution, ...NewExecution[]];

/** A list in JSONB must be smaller than 256 MiB; a character is three bytes at most. */
const MAX_LIST_CHARACTERS = 64 * 1024 * 1024;

/** Whether they have nothing that is rare, and differ in key, payload and nominal time at most. */
const areAlike = (executions: readonly NewExecution[]): executions is SomeExecutions => {
  const [first] = executions;
  if (first === undefined) return false;
  let characters = 0;
  return executions.every((one) => {
    characters += one.payload?.length ?? 0;
    return (
      characters <= MAX_LIST_CHARACTERS &&
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
      one.traceParent === first.traceParent
    );
  });
};
