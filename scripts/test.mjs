// Everything: installs and builds what is missing, then runs all tests.
//   npm test [-- ARGUMENTS OF VITEST]     e.g. npm test -- --project unit
//   TEST_TIME_LIMIT_MINUTES   default 18
// The last line is `N passed, N failed[, N skipped]`, and it is true also when the tests could not run at all.
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { isAlive } from './processes.mjs';
import { onStopRequest } from './stop-request.mjs';
import { closingLine, summarize } from './vitest-summary.mjs';
import { runVitest } from './vitest.mjs';

const limitMinutes = Number(process.env['TEST_TIME_LIMIT_MINUTES'] ?? 18);

/** A killed run cannot remove its database's folder, `scheduled-jobs-test-<process>[-…]`. */
function removeLeftFolders() {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^scheduled-jobs-test-(\d+)/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // another user's
    }
  }
}

async function runTests() {
  const stopRequest = new AbortController();
  const stop = (/** @type {string} */ reason) => {
    if (stopRequest.signal.aborted) return;
    console.error(`\nStopping (${reason}) …`);
    stopRequest.abort();
  };
  onStopRequest(stop);
  setTimeout(() => stop(`time limit of ${limitMinutes} minutes`), limitMinutes * 60_000).unref();
  removeLeftFolders();
  await build();
  if (stopRequest.signal.aborted) return summarize(undefined, 1);
  const { summary } = await runVitest(process.argv.slice(2), { show: true, signal: stopRequest.signal });
  return stopRequest.signal.aborted ? { ...summary, failed: Math.max(summary.failed, 1) } : summary;
}

let summary = summarize(undefined, 1);
try {
  summary = await runTests();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
process.exitCode = summary.failed > 0 ? 1 : 0; // no process.exit: a pipe would lose the last line
console.log(closingLine(summary));
