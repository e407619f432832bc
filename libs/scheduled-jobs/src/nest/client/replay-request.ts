import { InvalidRequestError } from '../../core/errors.js';
import { OptionReader } from '../../core/job/option-reader.js';
import type { Clock } from '../../core/ports/clock.js';
import type {
  ReplayedExecution,
  ReplayFilter,
  ReplayPageRequest,
  ReplayPosition,
  ReplayPreview,
} from '../../core/ports/replay-store.js';
import { decodeCursor, encodeCursor, isId } from '../../postgres/ledger/cursor.js';
import {
  BULK_LIMIT,
  bulkDigest,
  readBulkFilter,
  readPreviewed,
  type BulkFilter,
  type BulkOptions,
} from './bulk-filter.js';
import { readNamedOperator, type NamedOperatorOptions } from './operator-options.js';

/** How one execution is replayed. */
export interface ReplayOptions extends NamedOperatorOptions {
  /** True = also a success, which then begins from its start. Default false. */
  readonly force?: boolean;
  /** Of a background job: takes the place of the stored payload, checked as by `enqueue`. Default that stays as it is. */
  readonly payload?: unknown;
}

/** How many executions are replayed. */
export interface ReplayManyOptions extends BulkOptions {
  /** How many may start in a minute, over all pages: 1 … 60,000, default 600. */
  readonly maxPerMinute?: number;
}

/** What a replay of many did. */
export interface ReplayManyResult {
  readonly dryRun: false;
  /** Oldest first; each with the time from which it may start. */
  readonly replayed: readonly ReplayedExecution[];
  /** Meant by the filter, but held by something else or changed before their turn came. */
  readonly leftAlone: number;
  /** Null = nothing is left that the filter means. */
  readonly nextCursor: string | null;
}

/** What a replay of many would do. */
export interface ReplayManyPreview extends ReplayPreview {
  readonly dryRun: true;
}

const FILTER: BulkFilter = {
  operation: 'replay executions',
  names: ['job', 'queue', 'states', 'fingerprint', 'finishedFrom', 'finishedTo'],
  options: ['actor', 'reason', 'dryRun', 'limit', 'maxPerMinute', 'cursor'],
};
const PACE = { min: 1, max: 60_000 };
const DEFAULT_PACE = 600;

/** Checks what a replay would mean. @throws InvalidRequestError with every problem. */
export const previewedFilter = (given: ReplayFilter, options: { readonly dryRun: true }): ReplayFilter =>
  readPreviewed(given, options, FILTER);

/** Checks who replays what, and how fast. @throws InvalidRequestError with every problem. */
export function replayPageRequest(given: ReplayFilter, options: ReplayManyOptions, clock: Clock): ReplayPageRequest {
  const filter = readBulkFilter(given, FILTER);
  const problems: string[] = [];
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(FILTER.options);
  const operator = readNamedOperator(reader);
  reader.boolean('dryRun', false);
  const limit = reader.integer('limit', BULK_LIMIT.max, BULK_LIMIT);
  const maxPerMinute = reader.integer('maxPerMinute', DEFAULT_PACE, PACE);
  const cursor = reader.raw('cursor');
  const after = cursor === undefined ? null : positionOf(cursor, filter);
  if (after === undefined)
    reader.refuse('cursor', 'is not one of a replay with the same filter. Start again without it');
  if (problems.length > 0) throw new InvalidRequestError(FILTER.operation, problems);
  return { ...operator, now: clock.boundNow(), filter, limit, maxPerMinute, after: after ?? null };
}

/** Packs where the next call goes on. */
export const replayCursor = ({ executionId, runAt }: ReplayPosition, filter: ReplayFilter): string =>
  encodeCursor(bulkDigest(filter, FILTER), [executionId, String(runAt.getTime())]);

function positionOf(cursor: unknown, filter: ReplayFilter): ReplayPosition | undefined {
  const [executionId = '', ms = '', ...rest] =
    typeof cursor === 'string' ? (decodeCursor(cursor, bulkDigest(filter, FILTER)) ?? []) : [];
  if (!isId(executionId) || !/^\d{1,15}$/.test(ms) || rest.length > 0) return undefined;
  return { executionId, runAt: new Date(Number(ms)) };
}
