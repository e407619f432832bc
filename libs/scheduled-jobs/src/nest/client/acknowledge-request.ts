import { InvalidRequestError } from '../../core/errors.js';
import { OptionReader } from '../../core/job/option-reader.js';
import type { Clock } from '../../core/ports/clock.js';
import type { AcknowledgeFilter, AcknowledgePageRequest } from '../../core/ports/operation-store.js';
import type { ReplayPreview } from '../../core/ports/replay-store.js';
import { idCursor, readIdCursor } from '../../postgres/ledger/id-page.js';
import {
  BULK_LIMIT,
  bulkDigest,
  readBulkFilter,
  readPreviewed,
  type BulkFilter,
  type BulkOptions,
} from './bulk-filter.js';
import { readNamedOperator } from './operator-options.js';

/** How many failures are acknowledged. */
export type AcknowledgeManyOptions = BulkOptions;

/** What an acknowledgement of many did. */
export interface AcknowledgeManyResult {
  readonly dryRun: false;
  /** The keys of those that were, oldest first. */
  readonly acknowledged: readonly string[];
  /** Meant by the filter, but held by something else or changed before their turn came. */
  readonly leftAlone: number;
  /** Null = nothing is left that the filter means. */
  readonly nextCursor: string | null;
}

/** What an acknowledgement of many would do. */
export interface AcknowledgeManyPreview extends ReplayPreview {
  readonly dryRun: true;
}

const FILTER: BulkFilter = {
  operation: 'acknowledge dead letters',
  names: ['job', 'queue', 'fingerprint', 'finishedFrom', 'finishedTo'],
  options: ['actor', 'reason', 'dryRun', 'limit', 'cursor'],
};

/** Checks what an acknowledgement would mean. @throws InvalidRequestError with every problem. */
export const previewedAcknowledgement = (
  given: AcknowledgeFilter,
  options: { readonly dryRun: true },
): AcknowledgeFilter => readPreviewed(given, options, FILTER);

/** Checks who acknowledges what. @throws InvalidRequestError with every problem. */
export function acknowledgePageRequest(
  given: AcknowledgeFilter,
  options: AcknowledgeManyOptions,
  clock: Clock,
): AcknowledgePageRequest {
  const filter = readBulkFilter(given, FILTER);
  const problems: string[] = [];
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(FILTER.options);
  const operator = readNamedOperator(reader);
  reader.boolean('dryRun', false);
  const limit = reader.integer('limit', BULK_LIMIT.max, BULK_LIMIT);
  const after = readIdCursor(reader.raw('cursor'), bulkDigest(filter, FILTER), problems);
  if (problems.length > 0) throw new InvalidRequestError(FILTER.operation, problems);
  return { ...operator, now: clock.boundNow(), filter, limit, after };
}

/** Packs where the next call goes on. */
export const acknowledgeCursor = (after: string, filter: AcknowledgeFilter): string =>
  idCursor(after, bulkDigest(filter, FILTER));
