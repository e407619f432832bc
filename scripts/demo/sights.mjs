// What a newcomer finds in the dashboard beside the jobs that run: a failure, a queue that is full, a pause and a backfill.

const DAY_MS = 86_400_000;
/** More at once than the queue of exports lets run: they take half a minute. */
const PROJECTS = ['apollo', 'athena', 'demeter', 'hera', 'hermes', 'hestia', 'selene'];
const VERSIONS_EACH = 2;
/** The sample refuses to export it. */
const ARCHIVED_PROJECT = 'zeus';
/** Reports of these days are older than their job's catch-up window. */
const BACKFILLED_DAYS = { from: 11, to: 7 };

/** @typedef {import('./api-client.mjs').ApiClient} ApiClient */

/**
 * Exports that this start alone asks for: one fails and becomes a dead letter, some of the others wait for a while.
 * @param {ApiClient} api
 * @param {Date} startedAt
 */
export async function askForExports(api, startedAt) {
  const version = 1 + (startedAt.getTime() % 999_000);
  await api.requestExport({ projectId: ARCHIVED_PROJECT, version });
  for (let next = version; next < version + VERSIONS_EACH; next += 1) {
    for (const projectId of PROJECTS) await api.requestExport({ projectId, version: next });
  }
}

/**
 * What operators have done: a job rests, and some of the reports that were left out before the first start are made.
 * @param {ApiClient} api
 * @param {Date} startedAt
 */
export async function operateOnce(api, startedAt) {
  const daysAgo = (/** @type {number} */ days) => new Date(startedAt.getTime() - days * DAY_MS);
  await api.operate('/jobs/export-cleanup/pause', { reason: 'the audit wants to see old exports until Friday' });
  await api.operate('/jobs/daily-report/backfill', {
    from: daysAgo(BACKFILLED_DAYS.from),
    to: daysAgo(BACKFILLED_DAYS.to),
    reason: 'the accounts of these days were asked for',
  });
}
