const ENDED_WELL = ['succeeded', 'completed_with_errors'];

/**
 * One line about all jobs, such as `points 12 done · order-sync 5 done, 1 retrying`.
 * @param {readonly import('./ledger-reader.mjs').StateCount[]} counts
 */
export function summaryLine(counts) {
  const jobs = [...new Set(counts.map(({ job }) => job))];
  return jobs.map((job) => `${job} ${jobSummary(counts.filter((count) => count.job === job))}`).join(' · ');
}

/** @param {readonly import('./ledger-reader.mjs').StateCount[]} counts of one job */
function jobSummary(counts) {
  const done = counts.filter(({ state }) => ENDED_WELL.includes(state));
  const others = counts.filter(({ state }) => !ENDED_WELL.includes(state));
  const doneCount = done.reduce((sum, { executions }) => sum + executions, 0);
  return [`${doneCount} done`, ...others.map(({ state, executions }) => `${executions} ${state}`)].join(', ');
}
