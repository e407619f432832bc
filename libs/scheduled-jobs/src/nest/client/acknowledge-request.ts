import { InvalidRequestError } from '../../core/errors.js';
import { OptionReader } from '../../core/job/option-reader.js';
import type { Clock } from '../../core/ports/clock.js';
import type { AcknowledgeFilter, AcknowledgePageRequest } from '../../core/ports/operation-store.js';
import type { ReplayPreview } from '../../core/ports/replay-store.js';
import { idCursor, readIdCursor } from '../../postgres/ledger/id-page.js';
import { bulkDigest, readBulkFilter, type BulkFilter } from './bulk-filter.js';
import { readNamedOperator, type NamedOperatorOptions } from './operator-options.js';

/** How many failures are acknowledged. */
export interface AcknowledgeManyOptions extends NamedOperatorOptions {
  readonly dryRun?: false;
  /** How many this call takes at most, 1 … 1,000, default 1,000. `nextCursor` tells where to go on. */
  readonly limit?: number;
  /** The `nextCursor` of a call with the same filter. */
  readonly cursor?: string;
}

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
};
const OPTIONS = ['actor', 'reason', 'dryRun', 'limit', 'cursor'] as const;
const LIMIT = { min: 1, max: 1_000 };

/**
 * Checks what an acknowledgement would mean; its own options may stand beside `dryRun`.
 * @throws InvalidRequestError with every problem.
 */
export function previewedAcknowledgement(
  given: AcknowledgeFilter,
  options: { readonly dryRun: true },
): AcknowledgeFilter {
  const problems: string[] = [];
  new OptionReader(options, '', problems).allowOnly(OPTIONS);
  if (problems.length > 0) throw new InvalidRequestError(FILTER.operation, problems);
  return readBulkFilter(given, FILTER);
}

/** Checks who acknowledges what. @throws InvalidRequestError with every problem. */
export function acknowledgePageRequest(
  given: AcknowledgeFilter,
  options: AcknowledgeManyOptions,
  clock: Clock,
): AcknowledgePageRequest {
  const filter = readBulkFilter(given, FILTER);
  const problems: string[] = [];
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(OPTIONS);
  const operator = readNamedOperator(reader);
  reader.boolean('dryRun', false);
  const limit = reader.integer('limit', LIMIT.max, LIMIT);
  const after = readIdCursor(reader.raw('cursor'), bulkDigest(filter, FILTER), problems);
  if (problems.length > 0) throw new InvalidRequestError(FILTER.operation, problems);
  return { ...operator, now: clock.boundNow(), filter, limit, after };
}

/** Packs where the next call goes on. */
export const acknowledgeCursor = (after: string, filter: AcknowledgeFilter): string =>
  idCursor(after, bulkDigest(filter, FILTER));
