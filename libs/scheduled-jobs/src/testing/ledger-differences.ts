import { isDeepStrictEqual } from 'node:util';
import { shown } from '../core/job/option-reader.js';
import type { ExecutionDetail } from '../core/ports/ledger-reader.js';

type Expectable =
  | 'state'
  | 'reason'
  | 'period'
  | 'attempts'
  | 'result'
  | 'payload'
  | 'counts'
  | 'errorClass'
  | 'errorCode'
  | 'scheduledFor'
  | 'runAt'
  | 'trigger'
  | 'actor';

/** What a test expects of one execution; members that are left out may be anything. */
export type ExpectedExecution = Pick<ExecutionDetail, 'key'> & Partial<Pick<ExecutionDetail, Expectable>>;

/** The ledger is not what a test expects; the message lists every difference. */
export class LedgerExpectationError extends Error {
  readonly code = 'JOBS_TEST_LEDGER';

  constructor(readonly differences: readonly string[]) {
    super(`The ledger is not as expected:\n${differences.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'LedgerExpectationError';
  }
}

/** How executions differ from those expected: in what they are, missing ones, and ones that nobody expects. */
export function ledgerDifferences(
  expected: readonly ExpectedExecution[],
  recorded: readonly ExecutionDetail[],
): readonly string[] {
  const byKey = new Map(recorded.map((execution) => [execution.key, execution]));
  const keys = new Set(expected.map(({ key }) => key));
  return [
    ...expected.flatMap((execution) => differencesOf(execution, byKey.get(execution.key))),
    ...recorded
      .filter(({ key }) => !keys.has(key))
      .map(({ key, state }) => `${key}: is in the ledger (${state}), but not expected`),
  ];
}

function differencesOf(expected: ExpectedExecution, got: ExecutionDetail | undefined): readonly string[] {
  const { key, ...members } = expected;
  if (got === undefined) return [`${key}: is expected, but not in the ledger`];
  const error = got.error?.message === undefined || got.error.message === null ? '' : ` (${got.error.message})`;
  return Object.entries(members).flatMap(([name, wanted]) => {
    const value = got[name as Expectable];
    if (wanted === undefined || isDeepStrictEqual(value, wanted)) return [];
    return [`${key}: ${name} is ${shown(value)}, expected ${shown(wanted)}${name === 'state' ? error : ''}`];
  });
}
