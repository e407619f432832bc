// Plain Node, no dependencies: this file runs before node_modules exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { runProgram } from './run-program.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

const OLDEST_NODE = [20, 19];
const OTHER_COMMAND_TAKES_AT_MOST_MS = 10 * 60_000;

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage */

/**
 * Installs what package-lock.json says, unless it is there.
 * @throws when Node is too old or npm fails
 */
export async function ensureInstalled() {
  refuseOldNode();
  if (isInstalled(root)) return;
  await withTree(async () => {
    if (isInstalled(root)) return; // another command has done it meanwhile
    console.log('Installing dependencies (npm ci) …');
    const { exitCode } = await npmCi(root, { show: true });
    if (exitCode !== 0) throw new Error(`npm ci failed (exit code ${exitCode}).`);
  });
}

/**
 * Installs a package of this repository that is no workspace, unless it is there. Standard output is left to the caller.
 * @param {string} directory holds its package-lock.json
 * @throws when npm fails, with what it says
 */
export async function ensureInstalledApart(directory) {
  if (isInstalled(directory)) return;
  await withTree(async () => {
    if (isInstalled(directory)) return;
    console.error(`Installing the packages of ${directory} (npm ci) …`);
    const { exitCode, output } = await npmCi(directory, { show: false });
    if (exitCode !== 0) throw new Error(`npm ci in ${directory} failed (exit code ${exitCode}).\n${output}`);
  });
}

/**
 * Two commands started at once must neither install nor build in one tree at the same time.
 * @template T
 * @param {() => Promise<T> | T} action
 */
export function withTree(action) {
  return withLock(join(root, '.tree-lock'), action, { waitMs: OTHER_COMMAND_TAKES_AT_MOST_MS });
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
}

/**
 * npm writes node_modules/.package-lock.json last: a copy that agrees with package-lock.json means that an install of
 * exactly this tree ended well, whoever ran it.
 * @param {string} directory
 */
function isInstalled(directory) {
  const installedLock = join(directory, 'node_modules/.package-lock.json');
  if (!existsSync(installedLock)) return false;
  const wanted = packagesOf(join(directory, 'package-lock.json'));
  const found = packagesOf(installedLock);
  return (
    Object.entries(wanted).every(([path, entry]) => !isPackage(path) || agrees(entry, found[path])) &&
    Object.values(found).every(fitsThisMachine)
  );
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/**
 * False for the root and the workspaces, which npm lists only in the file of the repository.
 * @param {string} path
 */
function isPackage(path) {
  return path.split('/').includes('node_modules');
}

/**
 * @param {LockedPackage} wanted
 * @param {LockedPackage | undefined} found
 */
function agrees(wanted, found) {
  if (found === undefined) return wanted.optional === true;
  return found.version === wanted.version && found.integrity === wanted.integrity;
}

/**
 * False for a node_modules folder that was carried over from another kind of machine.
 * @param {LockedPackage} entry
 */
function fitsThisMachine({ os, cpu }) {
  return allows(os, process.platform) && allows(cpu, process.arch);
}

/**
 * @param {string[] | undefined} list names, or names with a `!` before each
 * @param {string} name
 */
function allows(list, name) {
  if (list === undefined || list.includes(name)) return true;
  return list.every((entry) => entry.startsWith('!')) && !list.includes(`!${name}`);
}

/**
 * Runs npm itself, the one that started us if any, without a shell.
 * @param {string} directory
 * @param {{ readonly show: boolean }} options
 */
function npmCi(directory, { show }) {
  const cli = process.env['npm_execpath'];
  const isScript = cli !== undefined && /\.c?js$/.test(cli);
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  return runProgram(isScript ? [process.execPath, cli, ...args] : ['npm', ...args], { cwd: directory, show });
}
