// What a demo has to prove at its end: every period that its ticks passed has ended well, exactly once.
import { auditJob } from './audit.mjs';
import { expectedKeys } from './expected-periods.mjs';

/** @typedef {import('./audit.mjs').JobAudit} JobAudit */

/**
 * @typedef {object} Session
 * @property {import('./ledger-reader.mjs').LedgerReader} ledger
 * @property {Date} startedAt by the database's clock
 * @property {Map<string, Date>} cursorsBefore where the schedules' cursors stood, by job
 * @property {readonly string[]} askedKeys executions that the demo itself has asked for
 */

/**
 * @param {Session} session
 * @returns {Promise<{ readonly audits: readonly JobAudit[], readonly problems: readonly string[] }>}
 */
export async function judgeSession({ ledger, startedAt, cursorsBefore, askedKeys }) {
  const [executions, versions, ranges] = [
    await ledger.executions(startedAt),
    await ledger.scheduleVersions(),
    await ledger.skippedRanges(),
  ];
  const scheduled = [...new Set(versions.map(({ job }) => job))].map((job) => {
    const of = (/** @type {{ readonly job: string }} */ row) => row.job === job;
    const keys = expectedKeys(versions.filter(of), cursorsBefore.get(job), ranges.filter(of));
    return auditJob(
      job,
      keys,
      executions.filter((row) => of(row) && row.trigger === 'schedule' && row.createdAt >= startedAt),
    );
  });
  const enqueued = executions.filter(({ trigger, createdAt }) => trigger === 'enqueue' && createdAt >= startedAt);
  const audits = [...scheduled, ...auditEnqueued(enqueued, askedKeys)];
  const leftOpen = executions.filter(({ createdAt, finishedAt }) => createdAt < startedAt && finishedAt === null);
  return {
    audits,
    problems: [
      ...audits.flatMap(({ problems }) => problems),
      ...leftOpen.map(({ key, state }) => `${key}: still ${state} from an earlier start`),
    ],
  };
}

/**
 * Users of the demo ask for executions too; what they have asked for is what is there.
 * @param {readonly import('./ledger-reader.mjs').ExecutionRow[]} executions
 * @param {readonly string[]} askedKeys
 */
function auditEnqueued(executions, askedKeys) {
  const keys = [...new Set([...askedKeys, ...executions.map(({ key }) => key)])];
  return [...new Set(keys.map(jobOf))].map((job) =>
    auditJob(
      job,
      keys.filter((key) => jobOf(key) === job),
      executions.filter((execution) => execution.job === job),
    ),
  );
}

/** @param {string} key */
const jobOf = (key) => key.slice(0, key.indexOf(':'));
