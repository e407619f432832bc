// One folder holds everything a private server needs: <folder>/data-<major> is PostgreSQL's own, made once and kept.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOf, endProcess, isErrno } from '../processes.mjs';

/** @typedef {import('./account.mjs').Account} Account */

/** Nothing of the host's locale or time zone reaches the server: a broken LANG would stop initdb. */
export const SERVER_ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] }),
};

/** Each checkout and each user has a folder of its own, outside the repository: that may be closed to other accounts. */
export function defaultDirectory() {
  const checkout = fileURLToPath(new URL('../..', import.meta.url));
  const id = createHash('sha256').update(checkout).digest('hex').slice(0, 8);
  return resolve(tmpdir(), `scheduled-jobs-${process.getuid?.() ?? 'user'}-${id}`);
}

/**
 * Makes the folder; refuses one of another user, who could replace what we are about to run.
 * @param {string} directory
 */
export function ensureDirectory(directory) {
  try {
    mkdirSync(dirname(directory), { recursive: true });
    // not recursive: below a folder such as /proc that would try for ever
    if (!existsSync(directory)) mkdirSync(directory);
  } catch (error) {
    throw new Error(`${directory} cannot be made; set TMPDIR to a folder that you may write to.`, { cause: error });
  }
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || (process.getuid !== undefined && stat.uid !== process.getuid())) {
    throw new Error(`${directory} belongs to somebody else; remove it or set TMPDIR to another folder.`);
  }
  chmodSync(directory, 0o755);
}

/**
 * Makes `data-<major>` unless it is there, complete.
 * @param {{ readonly directory: string, readonly major: number, readonly initdb: string, readonly account: Account | undefined }} options
 * @returns {{ readonly data: string, readonly password: string }}
 */
export function ensureData({ directory, major, initdb, account }) {
  const data = join(directory, `data-${major}`);
  const passwordFile = `${data}.password`;
  if (!existsSync(data) || !existsSync(passwordFile)) {
    rmSync(data, { recursive: true, force: true });
    const draft = `${data}.draft`; // renamed when complete: an initdb that was killed leaves no half of a cluster
    rmSync(draft, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
    if (account !== undefined) {
      for (const path of [draft, passwordFile]) chownSync(path, account.uid, account.gid);
    }
    runInitdb(initdb, ['-D', draft, '--pwfile', passwordFile], { ...account, cwd: directory });
    renameSync(draft, data);
  }
  return { data, password: readFileSync(passwordFile, 'utf8').trim() };
}

/**
 * Throws away what is stored, so that the next start begins with an empty database.
 * @param {string} directory
 * @param {number} major
 */
export async function removeData(directory, major) {
  const data = join(directory, `data-${major}`);
  await endStaleServer(data);
  rmSync(data, { recursive: true, force: true });
}

/**
 * @param {string} initdb
 * @param {readonly string[]} paths
 * @param {import('node:child_process').ExecFileSyncOptions} options
 */
function runInitdb(initdb, paths, options) {
  const settings = [
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ];
  try {
    execFileSync(initdb, [...paths, ...settings], {
      ...options,
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    if (isErrno(error, 'EACCES')) {
      throw new Error(`${initdb} cannot be run here; set TMPDIR to a folder that allows programs.`, { cause: error });
    }
    throw error;
  }
}

/**
 * Ends the server that a killed launcher left on this data folder; a process that merely has its id now is left alone.
 * @param {string} data
 * @returns {Promise<number | undefined>} its process id, if there was one
 */
export async function endStaleServer(data) {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const isOurs = pid > 0 && commandOf(pid).includes(`-D ${data} `);
  if (isOurs) {
    await endProcess(pid, [
      { signal: 'SIGINT', patienceMs: 5_000 },
      { signal: 'SIGQUIT', patienceMs: 3_000 },
      { signal: 'SIGKILL', patienceMs: 2_000 },
    ]);
  }
  rmSync(file, { force: true });
  return isOurs ? pid : undefined;
}
