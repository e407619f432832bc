// The whole proof of the calendar: every zone of this Node, every change of its clocks from 2000 to 2037. Some ten minutes.
//   npm run test:calendar [-- --compare]
//   --compare    instead: how cron, cron-parser and croner do on a sample of the same cases, as Markdown and JSON
//   TEST_SEED    asks again what an earlier run asked
// The last line has the totals; the exit code is 1 when anything differs.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from '../../scripts/ensure-install.mjs';
import { onStopRequest } from '../../scripts/stop-request.mjs';
import { runTool } from '../../scripts/tools.mjs';

await ensureInstalled();
const isComparison = process.argv.includes('--compare');
const file = isComparison ? 'peer-comparison.test.ts' : 'calendar-proof.test.ts';
const report = join(root, '.reports', isComparison ? 'calendar-comparison.json' : 'calendar-proof.json');
mkdirSync(join(root, '.reports'), { recursive: true });
rmSync(report, { force: true });
process.env['CALENDAR_PROOF'] = isComparison ? 'compare' : 'whole';
process.env['CALENDAR_REPORT'] = report;
const { versions } = process;
console.log(`Node ${versions.node}, zone data ${versions['tz'] ?? 'unknown'}, ICU ${versions.icu ?? 'unknown'}`);
const began = performance.now();
// a thread, unlike a process, never outlives the one that started it
const args = ['run', '--project', 'calendar', '--disableConsoleIntercept', '--pool=threads', `test/calendar/${file}`];
const stopRequest = new AbortController();
onStopRequest(() => stopRequest.abort());
const { exitCode } = await runTool('vitest', args, { show: true, signal: stopRequest.signal });
process.exitCode = exitCode;
console.log(lastLine(exitCode));

/** @param {number} exitCode */
function lastLine(exitCode) {
  if (isComparison) return exitCode === 0 ? `written: ${report}` : 'the comparison failed';
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  return `${totals()}, ${minutes} minutes`;
}

function totals() {
  try {
    const { zones, changes, schedules, checks, failures } = JSON.parse(readFileSync(report, 'utf8'));
    return `${zones} zones, ${changes} changes, ${schedules} schedules, ${checks} checks, ${failures} failures`;
  } catch {
    return 'the proof did not get to its end';
  }
}
