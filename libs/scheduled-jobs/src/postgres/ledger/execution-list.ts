import { InvalidQueryError } from '../../core/errors.js';
import type { DeadLetterQuery, ExecutionQuery, ExecutionSummary, Page } from '../../core/ports/ledger-reader.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import type { ExecutionRow } from '../statements/execution-list.js';
import { findDeadLettersSql } from '../statements/find-dead-letters.sql.js';
import { findEndedExecutionsSql } from '../statements/find-ended-executions.sql.js';
import { findExecutionsSql } from '../statements/find-executions.sql.js';
import { findJobExecutionsSql } from '../statements/find-job-executions.sql.js';
import { findOpenExecutionsSql } from '../statements/find-open-executions.sql.js';
import { encodeCursor } from './cursor.js';
import { resolveExecutionQuery, splitStates, type ResolvedExecutionQuery } from './execution-query.js';
import { executionSummary } from './execution-view.js';

const ACTION = 'list executions';

/**
 * Pages of executions. Lists by state start from the work or the outcomes, where a rare state is found at once; the whole
 * ledger would have to be walked for it otherwise.
 */
export class ExecutionList {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      all: findExecutionsSql(names),
      ofJob: findJobExecutionsSql(names),
      open: findOpenExecutionsSql(names),
      ended: findEndedExecutionsSql(names),
      dead: findDeadLettersSql(names),
    };
  }

  async page(query: ExecutionQuery, now: Date | null): Promise<Page<ExecutionSummary>> {
    const resolved = resolveExecutionQuery(query);
    return pageOf(resolved, await this.rows(resolved, now));
  }

  async deadLetters(query: DeadLetterQuery, now: Date | null): Promise<Page<ExecutionSummary>> {
    if ((query as ExecutionQuery).states !== undefined) {
      throw new InvalidQueryError(['states is not an option: dead letters are in the state "failed"']);
    }
    const resolved = resolveExecutionQuery({ ...query, states: ['failed'] });
    return pageOf(resolved, await this.query(this.sql.dead, listValues(resolved, now)));
  }

  private async rows(resolved: ResolvedExecutionQuery, now: Date | null): Promise<readonly ExecutionRow[]> {
    const values = listValues(resolved, now);
    const { states } = resolved.filter;
    if (states === undefined) {
      return resolved.byScheduledFor
        ? this.query(this.sql.ofJob, [...values, resolved.after?.scheduledFor ?? null])
        : this.query(this.sql.all, values);
    }
    const { open, ended } = splitStates(states);
    // The open ones first: one that ends between the two statements is then seen twice, not never.
    const found = open.length === 0 ? [] : await this.query(this.sql.open, [...values, ...openStates(open)]);
    const after = ended.length === 0 ? [] : await this.query(this.sql.ended, [...values, ended]);
    return merged(found, after);
  }

  private query(sql: string, values: readonly unknown[]): Promise<readonly ExecutionRow[]> {
    return this.database.query<ExecutionRow>(ACTION, sql, values);
  }
}

function pageOf(resolved: ResolvedExecutionQuery, rows: readonly ExecutionRow[]): Page<ExecutionSummary> {
  const shown = rows.slice(0, resolved.limit);
  const last = rows.length > resolved.limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(executionSummary),
    nextCursor: last === undefined ? null : encodeCursor(resolved.digest, positionOf(last, resolved)),
  };
}

const listValues = ({ filter, after, limit }: ResolvedExecutionQuery, now: Date | null): readonly unknown[] => [
  filter.job,
  filter.queue,
  filter.worker,
  filter.trigger,
  filter.period,
  filter.from,
  filter.to,
  filter.minDurationMs,
  filter.maxDurationMs,
  filter.minAttempts,
  after?.id,
  limit + 1,
  now,
  filter.fingerprint,
];

const openStates = (states: readonly string[]): readonly boolean[] =>
  ['running', 'retrying', 'pending'].map((state) => states.includes(state));

const positionOf = (row: ExecutionRow, { byScheduledFor }: ResolvedExecutionQuery): readonly string[] =>
  byScheduledFor ? [row.id, row.scheduled_for.toISOString()] : [row.id];

function merged(open: readonly ExecutionRow[], ended: readonly ExecutionRow[]): readonly ExecutionRow[] {
  const rows = new Map([...open, ...ended].map((row) => [row.id, row]));
  return [...rows.values()].toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
}
