import type { EventSink } from '../core/events/engine-event.js';
import type { FoundExecution, OperationStore } from '../core/ports/operation-store.js';
import type { OperatorRequest } from '../core/ports/operator-request.js';
import type { WorkStore } from '../core/ports/work-store.js';
import type { Database } from './database/database.js';
import { executionName, isNamed } from './ledger/execution-name.js';
import type { LedgerNames } from './ledger-names.js';
import { acknowledgeFailuresSql, type AcknowledgedRow } from './statements/acknowledge-failures.sql.js';
import { cancelExecutionSql, type CanceledExecutionRow } from './statements/cancel-execution.sql.js';
import { findGivenExecutionsSql, type GivenExecutionRow } from './statements/find-given-executions.sql.js';
import { canceledEnds, tellEnds } from './tell-ends.js';

/** Single executions, as operators act on them. Nothing here waits for a row. */
export class PostgresOperationStore implements OperationStore {
  private readonly sql;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
    private readonly others: { readonly work: Pick<WorkStore, 'admit'>; readonly emit: EventSink },
  ) {
    this.sql = {
      find: findGivenExecutionsSql(names),
      cancel: cancelExecutionSql(names),
      acknowledge: acknowledgeFailuresSql(names),
    };
  }

  async find(keysOrIds: readonly string[]): Promise<readonly (FoundExecution | null)[]> {
    const given = keysOrIds.map(executionName);
    const values = [given.map((name) => name?.id ?? null), given.map((name) => name?.key ?? null)];
    const rows = await this.database.query<GivenExecutionRow>('find executions', this.sql.find, values);
    const found = new Map(rows.map((row) => [row.ord, row]));
    return keysOrIds.map((keyOrId, index) => {
      const row = found.get(index + 1);
      return row === undefined || !isNamed(keyOrId, row) ? null : foundExecution(row);
    });
  }

  async cancel(executionId: string, { actor, reason, now }: OperatorRequest): Promise<'canceled' | 'asked' | null> {
    const values = [[executionId], now, true, actor, reason, this.names.channel];
    const [row] = await this.database.query<CanceledExecutionRow>('cancel an execution', this.sql.cancel, values);
    if (row === undefined) return null;
    tellEnds(this.others.emit, canceledEnds([row]));
    // A slot that became free is for others of its concurrency key.
    if (row.freed_key !== null) await this.others.work.admit([row.freed_key], now);
    return row.done;
  }

  async acknowledge(executionIds: readonly string[], request: OperatorRequest): Promise<readonly string[]> {
    const { actor, reason, now } = request;
    const values = [executionIds, now, actor, reason];
    const rows = await this.database.query<AcknowledgedRow>('acknowledge failures', this.sql.acknowledge, values);
    return rows.map(({ id }) => id);
  }
}

const foundExecution = (row: GivenExecutionRow): FoundExecution => ({
  executionId: row.id,
  key: row.key,
  jobName: row.job_name,
  state: row.state,
  acknowledgedAt: row.acknowledged_at,
});
