import { InvalidQueryError } from '../../core/errors.js';
import { EXECUTION_STATES, isFinal, TRIGGERS, type ExecutionState } from '../../core/execution/execution-state.js';
import { OptionReader } from '../../core/job/option-reader.js';
import type { ExecutionQuery } from '../../core/ports/ledger-reader.js';
import { checkWindow, checkTexts } from './query-checks.js';
import { decodeCursor, filterDigest, isId, isInstantText } from './cursor.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_INT = 2_147_483_647;

const FILTERS = [
  'job',
  'states',
  'queue',
  'worker',
  'trigger',
  'period',
  'fingerprint',
  'from',
  'to',
  'minDurationMs',
  'maxDurationMs',
  'minAttempts',
] as const;
const TEXTS = ['job', 'queue', 'worker', 'period', 'fingerprint', 'trigger'] as const;
export type ExecutionFilter = Pick<ExecutionQuery, (typeof FILTERS)[number]>;

/** What executions call it, or the REST API. */
const OTHER_NAMES = {
  state: 'is not an option. Did you mean "states", a list?',
  jobName: 'is not an option. Did you mean "job"?',
};

/** Where a page starts: behind this execution. */
export interface ListPosition {
  /** Only in a job's own list, which is ordered by it. */
  readonly scheduledFor: string | null;
  readonly id: string;
}

/** A checked query. */
export interface ResolvedExecutionQuery {
  readonly filter: ExecutionFilter;
  /** A job's own list goes by nominal time, every other one by id. */
  readonly byScheduledFor: boolean;
  readonly limit: number;
  readonly digest: string;
  readonly after: ListPosition | null;
}

/**
 * Checks a query.
 * @throws InvalidQueryError with every problem found.
 */
export function resolveExecutionQuery(query: ExecutionQuery): ResolvedExecutionQuery {
  const problems: string[] = [];
  const reader = new OptionReader(query, '', problems);
  if (problems.length > 0) throw new InvalidQueryError(problems);
  reader.allowOnly([...FILTERS, 'limit', 'cursor'], OTHER_NAMES);
  checkStates(query.states, problems);
  checkTexts(query, TEXTS, problems);
  checkTrigger(query, problems);
  checkWindow(query, ['from', 'to'], problems);
  checkNumbers(query, problems);
  const limit = resolveLimit(query.limit, problems);
  const filter = Object.fromEntries(
    FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  ) as ExecutionFilter;
  const byScheduledFor = isJobsOwnList(filter);
  const digest = problems.length === 0 ? filterDigest({ ...filter, states: filter.states?.toSorted() }) : '';
  const after = query.cursor === undefined ? null : readPosition(query.cursor, digest, byScheduledFor);
  if (after === undefined && problems.length === 0) {
    problems.push('cursor is not one of a page with the same filter. Start again without it.');
  }
  if (problems.length > 0) throw new InvalidQueryError(problems);
  return { filter, byScheduledFor, limit, digest, after: after ?? null };
}

/** Checks how many rows a page may have, 1 … 200. */
export function resolveLimit(limit: number | undefined, problems: string[]): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    problems.push(`limit must be a whole number from 1 to ${MAX_LIMIT}, got ${String(limit)}.`);
  }
  return limit;
}

/** Which of the asked states are found in `work`, and which in `outcomes`; no state asks for all. */
export function splitStates(states: readonly ExecutionState[] | undefined): {
  readonly open: readonly ExecutionState[];
  readonly ended: readonly ExecutionState[];
} {
  const asked = [...new Set(states)];
  return { open: asked.filter((state) => !isFinal(state)), ended: asked.filter((state) => isFinal(state)) };
}

function isJobsOwnList(filter: ExecutionFilter): boolean {
  const names = Object.keys(filter);
  return filter.job !== undefined && names.every((name) => name === 'job' || name === 'from' || name === 'to');
}

function readPosition(cursor: string, digest: string, byScheduledFor: boolean): ListPosition | undefined {
  const position = typeof cursor === 'string' ? decodeCursor(cursor, digest) : null;
  const [id = '', scheduledFor = ''] = position ?? [];
  if (!isId(id) || position?.length !== (byScheduledFor ? 2 : 1)) return undefined;
  if (!byScheduledFor) return { id, scheduledFor: null };
  return isInstantText(scheduledFor) ? { id, scheduledFor } : undefined;
}

function checkStates(states: unknown, problems: string[]): void {
  if (states === undefined) return;
  const known: readonly unknown[] = EXECUTION_STATES;
  const unknown = Array.isArray(states) ? states.filter((state) => !known.includes(state)) : [states];
  if (unknown.length > 0 || (Array.isArray(states) && states.length === 0)) {
    problems.push(`states must list some of ${EXECUTION_STATES.join(', ')}; got ${JSON.stringify(states)}.`);
  }
}

function checkTrigger(query: ExecutionQuery, problems: string[]): void {
  if (query.trigger !== undefined && !TRIGGERS.includes(query.trigger)) {
    problems.push(`trigger must be one of ${TRIGGERS.join(', ')}; got ${JSON.stringify(query.trigger)}.`);
  }
}

function checkNumbers(query: ExecutionQuery, problems: string[]): void {
  for (const name of ['minDurationMs', 'maxDurationMs', 'minAttempts'] as const) {
    const value = query[name];
    if (value === undefined) continue;
    if (!Number.isInteger(value) || value < 0 || value > (name === 'minAttempts' ? MAX_INT : Number.MAX_SAFE_INTEGER)) {
      problems.push(`${name} must be a whole number that is not negative, got ${String(value)}.`);
    }
  }
  const { minDurationMs = 0, maxDurationMs = Number.POSITIVE_INFINITY } = query;
  if (minDurationMs > maxDurationMs) problems.push('minDurationMs must not be greater than maxDurationMs.');
}
