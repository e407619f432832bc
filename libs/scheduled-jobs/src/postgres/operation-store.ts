import type { EventSink } from '../core/events/engine-event.js';
import type {
  AcknowledgedPage,
  AcknowledgePageRequest,
  FoundExecution,
  OperationStore,
} from '../core/ports/operation-store.js';
import type { OperatorRequest } from '../core/ports/operator-request.js';
import type { WorkStore } from '../core/ports/work-store.js';
import type { Database } from './database/database.js';
import { executionName, isNamed } from './ledger/execution-name.js';
import type { LedgerNames } from './ledger-names.js';
import { acknowledgeFailuresSql, type AcknowledgedRow } from './statements/acknowledge-failures.sql.js';
import { cancelExecutionSql, type CanceledExecutionRow } from './statements/cancel-execution.sql.js';
import { findGivenExecutionsSql, type GivenExecutionRow } from './statements/find-given-executions.sql.js';
import { findReplayableSql, type ReplayableRow } from './statements/find-replayable.sql.js';
import { filterValues, NO_FILTER } from './statements/replay-filter.js';
import { canceledEnds, tellEnds } from './tell-ends.js';

const ACKNOWLEDGE = 'acknowledge failures';

/** Executions, as operators act on them. Nothing here waits for a row. */
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
      findMeant: findReplayableSql(names),
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
    return (await this.acknowledgeMeant(executionIds, request, NO_FILTER)).map(({ id }) => id);
  }

  async acknowledgePage(request: AcknowledgePageRequest): Promise<AcknowledgedPage> {
    const { filter, limit, after } = request;
    const meant = filterValues(filter);
    const values = [...meant, after, limit + 1];
    const found = await this.database.query<ReplayableRow>(ACKNOWLEDGE, this.sql.findMeant, values);
    const ids = found.slice(0, limit).map(({ id }) => id);
    const rows = ids.length === 0 ? [] : await this.acknowledgeMeant(ids, request, meant);
    return {
      acknowledged: rows.map(({ key }) => key),
      leftAlone: ids.length - rows.length,
      next: found.length > limit ? (ids.at(-1) ?? null) : null,
    };
  }

  private acknowledgeMeant(
    ids: readonly string[],
    { actor, reason, now }: OperatorRequest,
    meant: readonly unknown[],
  ): Promise<readonly AcknowledgedRow[]> {
    return this.database.query<AcknowledgedRow>(ACKNOWLEDGE, this.sql.acknowledge, [ids, now, actor, reason, ...meant]);
  }
}

const foundExecution = (row: GivenExecutionRow): FoundExecution => ({
  executionId: row.id,
  key: row.key,
  jobName: row.job_name,
  state: row.state,
  acknowledgedAt: row.acknowledged_at,
});
