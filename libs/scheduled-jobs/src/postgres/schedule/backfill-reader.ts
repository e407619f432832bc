import { InvalidQueryError } from '../../core/errors.js';
import { isFinal, type ExecutionState } from '../../core/execution/execution-state.js';
import { OptionReader } from '../../core/job/option-reader.js';
import { BACKFILL_STATES, type Backfill, type BackfillQuery } from '../../core/ports/backfill-store.js';
import type { Page } from '../../core/ports/ledger-reader.js';
import type { Database } from '../database/database.js';
import { filterDigest, isId } from '../ledger/cursor.js';
import { resolveLimit } from '../ledger/execution-query.js';
import { idCursor, readIdCursor } from '../ledger/id-page.js';
import { checkTexts } from '../ledger/query-checks.js';
import type { LedgerNames } from '../ledger-names.js';
import type { BackfillRow } from '../statements/backfill-columns.js';
import { findBackfillSql } from '../statements/find-backfill.sql.js';
import { findBackfillsSql, type ListedBackfillRow } from '../statements/find-backfills.sql.js';

const FILTERS = ['job', 'state'] as const;
/** How many backfills are looked at for those that are open, or done. */
const MAX_LOOKS = 200;
/** As many as one backfill may have. */
const MAX_COUNTED = 100_000;

/** Reads backfills and how far they have come. */
export class BackfillReader {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = { find: findBackfillSql(names), list: findBackfillsSql(names) };
  }

  async find(backfillId: string): Promise<Backfill | null> {
    if (!isId(backfillId)) return null;
    const [row] = await this.database.query<BackfillRow>('read a backfill', this.sql.find, [backfillId]);
    return row === undefined ? null : backfillOf(row);
  }

  async list(query: BackfillQuery): Promise<Page<Backfill>> {
    const { limit, digest, after } = resolveBackfillQuery(query);
    const { job, state } = query;
    const looks = state === 'open' || state === 'done' ? MAX_LOOKS : limit + 1;
    const isCanceled = state === undefined ? null : state === 'canceled';
    const values = [job, isCanceled, after, looks, MAX_COUNTED];
    const rows = await this.database.query<ListedBackfillRow>('list backfills', this.sql.list, values);
    const meant = rows.map(backfillOf).filter((one) => state === undefined || one.state === state);
    const items = meant.slice(0, limit);
    const isLookedThrough = rows.length < looks && rows.length === (rows[0]?.found ?? 0);
    const last = meant.length > limit ? items.at(-1)?.backfillId : isLookedThrough ? undefined : rows.at(-1)?.id;
    return { items, nextCursor: last === undefined ? null : idCursor(last, digest) };
  }
}

/** @throws InvalidQueryError with every problem found. */
function resolveBackfillQuery(query: BackfillQuery): {
  readonly limit: number;
  readonly digest: string;
  readonly after: string | null;
} {
  const problems: string[] = [];
  const reader = new OptionReader(query, '', problems);
  reader.allowOnly([...FILTERS, 'limit', 'cursor']);
  if (problems.length > 0) throw new InvalidQueryError(problems);
  if (query.state !== undefined) reader.oneOf('state', query.state, BACKFILL_STATES);
  checkTexts(query, ['job'], problems);
  const limit = resolveLimit(query.limit, problems);
  const digest = filterDigest(['backfills', ...FILTERS.map((name) => query[name] ?? null)]);
  const after = readIdCursor(query.cursor, digest, problems);
  if (problems.length > 0) throw new InvalidQueryError(problems);
  return { limit, digest, after };
}

function backfillOf(row: BackfillRow): Backfill {
  const done = (Object.keys(row.states) as ExecutionState[]).every(isFinal);
  return {
    backfillId: row.id,
    jobName: row.job_name,
    from: row.from_at,
    to: row.to_at,
    order: row.direction,
    occurrences: row.occurrences,
    inserted: row.inserted,
    existing: row.existing,
    pruned: row.pruned,
    actor: row.actor,
    reason: row.reason,
    createdAt: row.created_at,
    canceledAt: row.canceled_at,
    canceledBy: row.canceled_by,
    cancelReason: row.cancel_reason,
    states: row.states,
    done,
    state: row.canceled_at !== null ? 'canceled' : done ? 'done' : 'open',
  };
}
