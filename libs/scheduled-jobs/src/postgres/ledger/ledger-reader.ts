import { InvalidQueryError } from '../../core/errors.js';
import type {
  AttemptDetail,
  DeadLetterQuery,
  ExecutionDetail,
  ExecutionQuery,
  ExecutionSummary,
  Explanation,
  ItemFailure,
  LedgerReader,
  LogEntry,
  Page,
  PageRequest,
  ScheduleDetail,
  ScheduleSummary,
  StepDetail,
} from '../../core/ports/ledger-reader.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import { explainExecutionSql, type ExplanationRow } from '../statements/explain-execution.sql.js';
import { findAttemptsSql, type AttemptRow } from '../statements/find-attempts.sql.js';
import { findExecutionSql, type ExecutionDetailRow } from '../statements/find-execution.sql.js';
import { findFinishedStepsSql, type StepRow } from '../statements/find-finished-steps.sql.js';
import { findItemsSql, type ItemRow } from '../statements/find-items.sql.js';
import { findLogsSql, type LogRow } from '../statements/find-logs.sql.js';
import { boundedPage } from './bounded-page.js';
import { decodeCursor, encodeCursor, filterDigest, isId, isInstantText, type Position } from './cursor.js';
import { resolveLimit } from './execution-query.js';
import { ExecutionList } from './execution-list.js';
import { attemptDetail, executionDetail, itemFailure, logEntry, stepDetail } from './execution-view.js';
import { executionName, isNamed } from './execution-name.js';
import { explain } from './explanation.js';
import { ScheduleReader } from './schedule-reader.js';

const ACTION = 'read the ledger';
const COUNTED_AHEAD = 10_000;
const NAMED_HOLDERS = 10;

/** A list that belongs to one execution. */
interface OwnList<Row, Item> {
  readonly name: string;
  readonly sql: string;
  /** How many values its position has. */
  readonly width: number;
  readonly isPosition: (position: Position) => boolean;
  readonly positionOf: (row: Row) => Position;
  readonly item: (row: Row) => Item;
}

/** Reads executions, their lists, and schedules. */
export class PostgresLedgerReader implements LedgerReader {
  private readonly sql;
  private readonly executions: ExecutionList;
  private readonly scheduleReader: ScheduleReader;
  private readonly attemptList: OwnList<AttemptRow, AttemptDetail>;
  private readonly logList: OwnList<LogRow, LogEntry>;
  private readonly itemList: OwnList<ItemRow, ItemFailure>;
  private readonly stepList: OwnList<StepRow, StepDetail>;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = { find: findExecutionSql(names), explain: explainExecutionSql(names) };
    this.executions = new ExecutionList(names, database);
    this.scheduleReader = new ScheduleReader(names, database);
    this.attemptList = {
      name: 'attempts',
      sql: findAttemptsSql(names),
      width: 1,
      isPosition: ([token = '']) => isId(token),
      positionOf: (row) => [row.lease_token],
      item: attemptDetail,
    };
    this.logList = {
      name: 'logs',
      sql: findLogsSql(names),
      width: 2,
      isPosition: ([token = '', line = '']) => isId(token) && /^\d{1,9}$/.test(line),
      positionOf: (row) => [row.lease_token, String(row.line_no)],
      item: logEntry,
    };
    this.itemList = {
      name: 'items',
      sql: findItemsSql(names),
      width: 2,
      isPosition: (position) => !position.some((text) => text.includes('\u0000')),
      positionOf: (row) => [row.items_name, row.item_key],
      item: itemFailure,
    };
    this.stepList = {
      name: 'steps',
      sql: findFinishedStepsSql(names),
      width: 2,
      isPosition: ([at = '', name = '']) => isInstantText(at) && !name.includes('\u0000'),
      positionOf: (row) => [row.finished_at.toISOString(), row.step_name],
      item: stepDetail,
    };
  }

  find(query: ExecutionQuery, now: Date | null, defaultFrom?: Date): Promise<Page<ExecutionSummary>> {
    return this.executions.page(query, now, defaultFrom);
  }

  deadLetters(query: DeadLetterQuery, now: Date | null): Promise<Page<ExecutionSummary>> {
    return this.executions.deadLetters(query, now);
  }

  async get(keyOrId: string, now: Date | null): Promise<ExecutionDetail | null> {
    const row = await this.one<ExecutionDetailRow>(this.sql.find, keyOrId, [now]);
    return row === null ? null : executionDetail(row);
  }

  async why(keyOrId: string, now: Date | null): Promise<Explanation | null> {
    const row = await this.one<ExplanationRow>(this.sql.explain, keyOrId, [now, COUNTED_AHEAD, NAMED_HOLDERS]);
    return row === null ? null : explain(row);
  }

  attempts(executionId: string, page: PageRequest = {}): Promise<Page<AttemptDetail>> {
    return this.ownPage(this.attemptList, executionId, page);
  }

  logs(executionId: string, page: PageRequest = {}): Promise<Page<LogEntry>> {
    return this.ownPage(this.logList, executionId, page);
  }

  steps(executionId: string, page: PageRequest = {}): Promise<Page<StepDetail>> {
    return this.ownPage(this.stepList, executionId, page);
  }

  items(executionId: string, page: PageRequest = {}): Promise<Page<ItemFailure>> {
    return this.ownPage(this.itemList, executionId, page);
  }

  schedules(now: Date | null = null): Promise<readonly ScheduleSummary[]> {
    return this.scheduleReader.all(now);
  }

  schedulePage(cursor: string | null, now: Date | null = null): Promise<Page<ScheduleSummary>> {
    return this.scheduleReader.page(cursor, now);
  }

  schedule(name: string, now: Date | null = null): Promise<ScheduleDetail | null> {
    return this.scheduleReader.one(name, now);
  }

  private async one<Row extends { readonly key: string }>(
    sql: string,
    keyOrId: string,
    more: readonly unknown[],
  ): Promise<Row | null> {
    const name = executionName(keyOrId);
    if (name === null) return null;
    const [row] = await this.database.query<Row>(ACTION, sql, [name.id, name.key, ...more]);
    return row === undefined || !isNamed(keyOrId, row) ? null : row;
  }

  private async ownPage<Row, Item>(
    list: OwnList<Row, Item>,
    executionId: string,
    request: PageRequest,
  ): Promise<Page<Item>> {
    const problems: string[] = [];
    const limit = resolveLimit(request.limit, problems);
    const digest = filterDigest([list.name, executionId]);
    const after = typeof request.after === 'string' ? decodeCursor(request.after, digest) : [];
    if (after === null || (after.length > 0 && (after.length !== list.width || !list.isPosition(after)))) {
      problems.push(`cursor is not one of the ${list.name} of this execution. Start again without it.`);
    }
    if (problems.length > 0) throw new InvalidQueryError(problems);
    if (!isId(executionId)) return { items: [], nextCursor: null };
    const position = Array.from({ length: list.width }, (_, index) => after?.[index] ?? null);
    const rows = await this.database.query<Row>(ACTION, list.sql, [executionId, ...position, limit + 1]);
    const { items, last } = boundedPage(rows, limit, list.item);
    return { items, nextCursor: last === null ? null : encodeCursor(digest, list.positionOf(last)) };
  }
}
