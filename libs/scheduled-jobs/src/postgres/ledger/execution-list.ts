import { InvalidQueryError } from '../../core/errors.js';
import type { ExecutionState } from '../../core/execution/execution-state.js';
import type { DeadLetterQuery, ExecutionQuery, ExecutionSummary, Page } from '../../core/ports/ledger-reader.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import type { ExecutionRow } from '../statements/execution-list.js';
import { findDeadLettersSql } from '../statements/find-dead-letters.sql.js';
import { findEndedExecutionsSql } from '../statements/find-ended-executions.sql.js';
import { findExecutionsSql } from '../statements/find-executions.sql.js';
import { findJobExecutionsSql } from '../statements/find-job-executions.sql.js';
import { findOpenExecutionsSql } from '../statements/find-open-executions.sql.js';
import { searchExecutionsSql, type SearchedRow, type SearchGround } from '../statements/search-executions.sql.js';
import { encodeCursor } from './cursor.js';
import {
  resolveExecutionQuery,
  splitStates,
  type ExecutionFilter,
  type ResolvedExecutionQuery,
} from './execution-query.js';
import { executionSummary } from './execution-view.js';

const ACTION = 'list executions';
/** How many executions a search walks over for one page. */
const SEARCHED = 10_000;

/** Rows of a page, newest id first, and the id down to which all that fit are among them; null = one more than asked for, or all. */
interface Found {
  readonly rows: readonly ExecutionRow[];
  readonly completeTo: string | null;
}

/**
 * Pages of executions. Lists by state start from the work or the outcomes, where a rare state is found at once; the whole
 * ledger would have to be walked for it otherwise. Filters that no index serves walk over a bounded number of executions, so
 * that a page may be short, or empty, and have a next one.
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
      search: {
        executions: searchExecutionsSql(names, 'executions'),
        'rare-ends': searchExecutionsSql(names, 'rare-ends'),
        'dead-letters': searchExecutionsSql(names, 'dead-letters'),
      },
    };
  }

  async page(query: ExecutionQuery, now: Date | null, defaultFrom?: Date): Promise<Page<ExecutionSummary>> {
    const resolved = since(resolveExecutionQuery(query), defaultFrom);
    return pageOf(resolved, await this.found(resolved, now));
  }

  async deadLetters(query: DeadLetterQuery, now: Date | null): Promise<Page<ExecutionSummary>> {
    if ((query as ExecutionQuery).states !== undefined) {
      throw new InvalidQueryError(['states is not an option: dead letters are in the state "failed"']);
    }
    const resolved = resolveExecutionQuery({ ...query, states: ['failed'] });
    const found = isSearched(resolved.filter)
      ? await this.search('dead-letters', resolved, { states: null, now })
      : complete(await this.query(this.sql.dead, listValues(resolved, now)));
    return pageOf(resolved, found);
  }

  private async found(resolved: ResolvedExecutionQuery, now: Date | null): Promise<Found> {
    const { filter } = resolved;
    if (filter.states === undefined) {
      if (!resolved.byScheduledFor && isSearched(filter)) {
        return this.search('executions', resolved, { states: null, now });
      }
      const values = listValues(resolved, now);
      if (!resolved.byScheduledFor) return complete(await this.query(this.sql.all, values));
      return complete(await this.query(this.sql.ofJob, [...values, resolved.after?.scheduledFor ?? null]));
    }
    const { open, ended } = splitStates(filter.states);
    // The open ones first: one that ends between the two statements is then seen twice, not never.
    const found = open.length === 0 ? [] : await this.open(open, resolved, now);
    const after = ended.length === 0 ? complete([]) : await this.ended(ended, resolved, now);
    return { rows: merged(found, after.rows), completeTo: after.completeTo };
  }

  private open(states: readonly ExecutionState[], resolved: ResolvedExecutionQuery, now: Date | null) {
    return this.query(this.sql.open, [...listValues(resolved, now), ...openStates(states)]);
  }

  private async ended(states: readonly ExecutionState[], resolved: ResolvedExecutionQuery, now: Date | null) {
    if (!isSearched(resolved.filter)) {
      return complete(await this.query(this.sql.ended, [...listValues(resolved, now), states]));
    }
    return this.search(states.includes('succeeded') ? 'executions' : 'rare-ends', resolved, { states, now });
  }

  private async search(
    ground: SearchGround,
    resolved: ResolvedExecutionQuery,
    { states, now }: { readonly states: readonly ExecutionState[] | null; readonly now: Date | null },
  ): Promise<Found> {
    const values = [...listValues(resolved, now), states, SEARCHED];
    const answer = await this.database.query<SearchedRow>(ACTION, this.sql.search[ground], values);
    const rows = answer.filter((row): row is SearchedRow & ExecutionRow => row.id !== null);
    const { walked, walked_to: walkedTo } = answer[0] ?? { walked: 0, walked_to: null };
    const isCut = walked === SEARCHED && rows.length <= resolved.limit;
    return { rows, completeTo: isCut ? walkedTo : null };
  }

  private query(sql: string, values: readonly unknown[]): Promise<readonly ExecutionRow[]> {
    return this.database.query<ExecutionRow>(ACTION, sql, values);
  }
}

const complete = (rows: readonly ExecutionRow[]): Found => ({ rows, completeTo: null });

/** The default is no part of the filter that a cursor belongs to: it moves with the time. */
const since = (resolved: ResolvedExecutionQuery, defaultFrom: Date | undefined): ResolvedExecutionQuery =>
  defaultFrom === undefined || resolved.filter.from !== undefined
    ? resolved
    : { ...resolved, filter: { ...resolved.filter, from: defaultFrom } };

/** Whether no index serves a filter. Few executions share the kind of their error. */
const isSearched = ({ states: _states, fingerprint, ...others }: ExecutionFilter): boolean =>
  fingerprint === undefined && Object.keys(others).length > 0;

function pageOf(resolved: ResolvedExecutionQuery, { rows, completeTo }: Found): Page<ExecutionSummary> {
  const known = completeTo === null ? rows : rows.filter(({ id }) => BigInt(id) >= BigInt(completeTo));
  const shown = known.slice(0, resolved.limit);
  const last = known.length > resolved.limit ? shown.at(-1) : undefined;
  return { items: shown.map(executionSummary), nextCursor: cursorBehind(resolved, last, completeTo) };
}

/** Behind the last one that is shown; where the walk ended before the page was full, behind where it has come to. */
function cursorBehind(
  resolved: ResolvedExecutionQuery,
  last: ExecutionRow | undefined,
  completeTo: string | null,
): string | null {
  if (last !== undefined) return encodeCursor(resolved.digest, positionOf(last, resolved));
  return completeTo === null ? null : encodeCursor(resolved.digest, [completeTo]);
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
