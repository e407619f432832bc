import { ALERT_KINDS } from '../core/alert/alert.js';
import { InvalidQueryError } from '../core/errors.js';
import { OptionReader } from '../core/job/option-reader.js';
import type { AlertQuery } from '../core/ports/alert-store.js';
import { filterDigest } from './ledger/cursor.js';
import { readIdCursor } from './ledger/id-page.js';
import { resolveLimit } from './ledger/execution-query.js';
import { checkTexts } from './ledger/query-checks.js';

const FILTERS = ['kind', 'subject', 'open'] as const;

/** Checks which alerts are asked for. @throws InvalidQueryError with every problem found. */
export function resolveAlertQuery(query: AlertQuery): {
  readonly limit: number;
  readonly digest: string;
  readonly after: string | null;
} {
  const problems: string[] = [];
  const reader = new OptionReader(query, '', problems);
  reader.allowOnly([...FILTERS, 'limit', 'cursor']);
  if (problems.length > 0) throw new InvalidQueryError(problems);
  if (query.kind !== undefined) reader.oneOf('kind', query.kind, ALERT_KINDS);
  checkTexts(query, ['subject'], problems);
  reader.boolean('open', false);
  const limit = resolveLimit(query.limit, problems);
  const digest = filterDigest(FILTERS.map((name) => query[name] ?? null));
  const after = readIdCursor(query.cursor, digest, problems);
  if (problems.length > 0) throw new InvalidQueryError(problems);
  return { limit, digest, after };
}
