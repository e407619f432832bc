import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ensure-install.mjs';
import { runTool } from './tools.mjs';
import { summarize } from './vitest-summary.mjs';

/**
 * Runs Vitest once.
 * @param {readonly string[]} args
 * @param {{ readonly show?: boolean, readonly signal?: AbortSignal }} [options]
 */
export async function runVitest(args, options) {
  // a name of its own for each run: several may go on in one tree
  const reportFile = join(root, '.reports', `vitest-${process.pid}.json`);
  mkdirSync(join(root, '.reports'), { recursive: true });
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
    const { exitCode, output } = await runTool('vitest', ['run', ...reporters, ...args], options);
    return { output, summary: summarize(readReport(reportFile), exitCode) };
  } finally {
    rmSync(reportFile, { force: true });
  }
}

/**
 * @param {string} file
 * @returns {import('./vitest-summary.mjs').VitestReport | undefined}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // Vitest did not get that far
  }
}
