// All checks that need no database: installs what is missing, then looks at form, types, rules, and runs the unit tests.
// The last line is `N passed, N failed`: the unit tests, and one failed for each other step that failed.
import { join } from 'node:path';
import { ensureInstalled, root, withTree } from './ensure-install.mjs';
import { runProgram } from './run-program.mjs';
import { onStopRequest } from './stop-request.mjs';
import { runTool } from './tools.mjs';
import { closingLine } from './vitest-summary.mjs';
import { runVitest } from './vitest.mjs';

/** @typedef {import('./vitest-summary.mjs').Summary & { readonly output: string }} Outcome */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {() => Promise<Outcome>} run
 * @property {boolean} [isNeeded] the later steps of its lane make no sense without it
 */

const SOURCES = ['apps', 'bench', 'libs', 'scripts', 'test'];
/** Not what is built: it would count as source. */
const CRUISED = [
  'apps',
  'bench',
  'libs/scheduled-jobs/src',
  'libs/sample-jobs/src',
  'libs/dashboard/src',
  'scripts',
  'test',
];

/**
 * Two lanes for two cores; inside a lane one step follows the other.
 * @type {readonly (readonly Step[])[]}
 */
const LANES = [
  [
    { name: 'build', run: () => compile('.'), isNeeded: true },
    { name: 'types', run: () => compile('.', 'test', 'scripts', 'libs/dashboard') },
    { name: 'layers', run: () => tool('dependency-cruiser', CRUISED, 'depcruise') },
    { name: 'unused code', run: () => tool('knip', []) },
  ],
  [
    { name: 'format', run: () => tool('prettier', ['--check', '--log-level', 'warn', '.']) },
    { name: 'source rules', run: checkSource },
    { name: 'lint', run: () => tool('oxlint', ['--type-aware', ...SOURCES]) },
    { name: 'unit tests', run: runUnitTests },
  ],
];

/** @param {readonly string[]} projects */
function compile(...projects) {
  return withTree(() => tool('typescript', ['-b', ...projects], 'tsc'));
}

/**
 * @param {string} packageName
 * @param {readonly string[]} args
 * @param {string} [command]
 */
async function tool(packageName, args, command = packageName) {
  const { exitCode, output } = await runTool(packageName, args, { command });
  return outcome(exitCode, exitCode === 0 ? '' : output);
}

async function checkSource() {
  const { exitCode, output } = await runProgram([process.execPath, join(root, 'scripts/check-source.mjs')], {
    cwd: root,
  });
  return outcome(exitCode, output); // also when all is well: it tells what has grown long
}

async function runUnitTests() {
  const { summary, output } = await runVitest(['--project', 'unit']);
  return { ...summary, output: summary.failed > 0 ? output : '' };
}

/**
 * @param {number} exitCode
 * @param {string} output
 * @returns {Outcome}
 */
function outcome(exitCode, output) {
  return { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0, output };
}

/**
 * @param {readonly Step[]} steps
 * @returns {Promise<Outcome[]>}
 */
async function runLane(steps) {
  const outcomes = [];
  for (const { name, run, isNeeded = false } of steps) {
    const began = performance.now();
    const result = await run().catch((error) => outcome(1, String(error)));
    report(name, result, (performance.now() - began) / 1_000);
    outcomes.push(result);
    if (isNeeded && result.failed > 0) break;
  }
  return outcomes;
}

/**
 * @param {string} name
 * @param {Outcome} outcome
 * @param {number} seconds
 */
function report(name, { passed, failed, output }, seconds) {
  console.log(`${failed > 0 ? 'FAILED' : 'ok    '}  ${name.padEnd(12)} ${seconds.toFixed(1).padStart(5)} s`);
  if (passed > 0) console.log(`        ${passed} passed, ${failed} failed`);
  if (output.trim() !== '') console.log(output.trimEnd().replaceAll(/^/gm, '        '));
}

onStopRequest((reason) => {
  console.error(`Stopped (${reason}).`);
  process.exit(1);
});
let outcomes = [outcome(1, '')];
try {
  await ensureInstalled();
  outcomes = (await Promise.all(LANES.map(runLane))).flat();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
  outcomes.reduce((total, each) => total + each[key], 0);
const summary = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
process.exitCode = summary.failed > 0 ? 1 : 0;
console.log(closingLine(summary));
