// Runs the development tools with this Node: no npx, which would offer a stranger's package when ours is missing.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './ensure-install.mjs';
import { runProgram } from './run-program.mjs';

/**
 * Runs a command of an installed package in the repository's root.
 * @param {string} packageName
 * @param {readonly string[]} args
 * @param {{ readonly command?: string, readonly show?: boolean, readonly signal?: AbortSignal }} [options]
 *   `command`: default the package's name; the others as for `runProgram`
 */
export function runTool(packageName, args, { command = packageName, ...options } = {}) {
  return runProgram([process.execPath, toolPath(packageName, command), ...args], { cwd: root, ...options });
}

/**
 * @param {string} packageName
 * @param {string} [command] default: the package's name
 */
export function toolPath(packageName, command = packageName) {
  const manifest = join(root, 'node_modules', packageName, 'package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command]);
}
