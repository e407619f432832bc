// Vitest's own totals leave out files that could not be loaded, hooks that failed and workers that died. These do not.

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Summary */

/**
 * @typedef {object} VitestReport what `--reporter=json` writes, as far as it is used here
 * @property {readonly { readonly status: string, readonly assertionResults: readonly { readonly status: string }[] }[]} testResults
 */

/**
 * Counts what ran. Whatever the report cannot tell counts as a failure.
 * @param {VitestReport | undefined} report undefined: Vitest did not get as far as writing one
 * @param {number} exitCode Vitest's
 * @returns {Summary}
 */
export function summarize(report, exitCode) {
  const files = (report?.testResults ?? []).map(countFile);
  const sum = (/** @type {keyof Summary} */ key) => files.reduce((total, file) => total + file[key], 0);
  const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  // an unhandled error, a failed global set-up or a crash shows in the exit code only; a run without any test proves nothing
  const hasHiddenFailure = counts.failed === 0 && (exitCode !== 0 || counts.passed === 0);
  return hasHiddenFailure ? { ...counts, failed: 1 } : counts;
}

/** @param {Summary} summary */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * @param {VitestReport['testResults'][number]} file
 * @returns {Summary}
 */
function countFile({ status, assertionResults }) {
  const count = (/** @type {string} */ wanted) => assertionResults.filter((test) => test.status === wanted).length;
  const passed = count('passed');
  const failed = count('failed');
  return {
    passed,
    // a file that could not be loaded, or whose hook failed, has no failed test of its own
    failed: status === 'failed' ? Math.max(failed, 1) : failed,
    skipped: assertionResults.length - passed - failed,
  };
}
