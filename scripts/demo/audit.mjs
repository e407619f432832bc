// Judges what the ledger holds by what the calendar, or a user, asked for: each key once, and each ended well.

/** @typedef {import('./ledger-reader.mjs').ExecutionRow} ExecutionRow */

/**
 * @typedef {object} JobAudit
 * @property {string} job
 * @property {number} expected keys that were asked for
 * @property {number} executed those that ended well
 * @property {number} missing those that did not
 * @property {number} duplicates executions, and attempts that ended well, beyond the first of their key
 * @property {readonly number[]} durationsMs from the first start to the end
 * @property {readonly number[]} startDelaysMs from when it could start to the first start
 * @property {readonly string[]} problems one line for each key that is not as it should be
 */

/**
 * @param {string} job
 * @param {readonly string[]} expectedKeys
 * @param {readonly ExecutionRow[]} executions all of the job in the stretch of time that is judged
 * @returns {JobAudit}
 */
export function auditJob(job, expectedKeys, executions) {
  const expected = new Set(expectedKeys);
  const byKey = groupByKey(executions);
  const findings = [...expected].map((key) => judge(key, byKey.get(key) ?? []));
  const invented = [...byKey.keys()].filter((key) => !expected.has(key));
  const executed = findings.filter(({ endedWell }) => endedWell).length;
  return {
    job,
    expected: expected.size,
    executed,
    missing: expected.size - executed,
    duplicates: findings.reduce((sum, { extra }) => sum + extra, 0),
    durationsMs: executions.flatMap(({ firstStartedAt, finishedAt }) => spanMs(firstStartedAt, finishedAt)),
    startDelaysMs: executions.flatMap(({ startableAt, firstStartedAt }) => spanMs(startableAt, firstStartedAt)),
    problems: [
      ...findings.flatMap(({ problem }) => problem ?? []),
      ...invented.map((key) => `${key}: nothing asked for it`),
    ],
  };
}

/**
 * @param {string} key
 * @param {readonly ExecutionRow[]} executions
 */
function judge(key, executions) {
  const successes = executions.reduce((sum, { successfulAttempts }) => sum + successfulAttempts, 0);
  const endedWell = executions.some(({ state }) => state === 'succeeded' || state === 'completed_with_errors');
  const extra = Math.max(executions.length - 1, 0) + Math.max(successes - 1, 0);
  const states = executions.map(({ state }) => state).join(', ') || 'no execution';
  if (!endedWell) return { endedWell, extra, problem: `${key}: ${states}` };
  return { endedWell, extra, problem: extra > 0 ? `${key}: ended well ${successes} times (${states})` : undefined };
}

/** @param {readonly ExecutionRow[]} executions */
function groupByKey(executions) {
  /** @type {Map<string, ExecutionRow[]>} */
  const groups = new Map();
  for (const execution of executions) groups.set(execution.key, [...(groups.get(execution.key) ?? []), execution]);
  return groups;
}

/**
 * @param {Date | null} from
 * @param {Date | null} to
 */
const spanMs = (from, to) => (from === null || to === null ? [] : [to.getTime() - from.getTime()]);
