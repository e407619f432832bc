import { InvalidRequestError } from '../../core/errors.js';
import { OptionReader, shown } from '../../core/job/option-reader.js';
import { REPLAYABLE_STATES, type ReplayFilter } from '../../core/ports/replay-store.js';
import { filterDigest } from '../../postgres/ledger/cursor.js';
import { checkTexts, checkWindow } from '../../postgres/ledger/query-checks.js';
import type { NamedOperatorOptions } from './operator-options.js';

/** What many executions are chosen by. */
export interface BulkFilter {
  /** What is asked for, such as `replay executions`. */
  readonly operation: string;
  /** The members that a filter may have. */
  readonly names: readonly (keyof ReplayFilter)[];
  /** The options that may stand beside it. */
  readonly options: readonly string[];
}

/** How many executions one call acts on. */
export interface BulkOptions extends NamedOperatorOptions {
  readonly dryRun?: false;
  /** How many this call takes at most, 1 … 1,000, default 1,000. `nextCursor` tells where to go on. */
  readonly limit?: number;
  /** The `nextCursor` of a call with the same filter. */
  readonly cursor?: string;
}

/** How many executions one call takes. */
export const BULK_LIMIT = { min: 1, max: 1_000 } as const;

/**
 * Checks what would be meant; the options of the action itself may stand beside `dryRun`.
 * @throws InvalidRequestError with every problem.
 */
export function readPreviewed(given: ReplayFilter, options: { readonly dryRun: true }, bulk: BulkFilter): ReplayFilter {
  const problems: string[] = [];
  new OptionReader(options, '', problems).allowOnly(bulk.options);
  if (problems.length > 0) throw new InvalidRequestError(bulk.operation, problems);
  return readBulkFilter(given, bulk);
}

/**
 * Checks which executions are meant.
 * @throws InvalidRequestError with every problem, also when the filter is empty: that would mean everything.
 */
export function readBulkFilter(filter: ReplayFilter, { operation, names }: BulkFilter): ReplayFilter {
  const problems: string[] = [];
  checkFilter(filter, names, problems);
  if (problems.length > 0) throw new InvalidRequestError(operation, problems);
  return Object.fromEntries(names.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])));
}

/** Stands for a filter in the cursor of its pages. */
export const bulkDigest = (filter: ReplayFilter, { operation, names }: BulkFilter): string =>
  filterDigest([
    operation,
    ...names.map((name) => (name === 'states' ? filter.states?.toSorted() : filter[name]) ?? null),
  ]);

function checkFilter(filter: ReplayFilter, names: BulkFilter['names'], problems: string[]): void {
  const reader = new OptionReader(filter, 'filter', problems);
  if (problems.length > 0) return;
  const hint = names.includes('states') ? { state: 'is not an option. Did you mean "states", a list?' } : {};
  reader.allowOnly(names, hint);
  if (names.every((name) => reader.raw(name) === undefined)) {
    problems.push(`the filter is empty: name at least one of ${names.join(', ')}`);
    return;
  }
  checkTexts(filter, ['job', 'queue', 'fingerprint'], problems);
  checkWindow(filter, ['finishedFrom', 'finishedTo'], problems);
  checkStates(filter.states, problems);
}

function checkStates(states: unknown, problems: string[]): void {
  if (states === undefined) return;
  const known: readonly unknown[] = REPLAYABLE_STATES;
  if (Array.isArray(states) && states.length > 0 && states.every((state) => known.includes(state))) return;
  const got = Array.isArray(states) ? `[${states.map(shown).join(', ')}]` : shown(states);
  problems.push(`states must list some of ${REPLAYABLE_STATES.join(', ')}; got ${got}`);
}
