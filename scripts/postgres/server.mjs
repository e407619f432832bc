// A private PostgreSQL: reachable on the loopback interface only, tuned for tests and demos, not for keeping data safe.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-ports.mjs';
import { acquireLock, LockHeldError } from '../lock.mjs';
import { chooseAccount } from './account.mjs';
import { endStaleServer, ensureData, ensureDirectory, removeData, SERVER_ENVIRONMENT } from './data-folder.mjs';
import { isReachableByOthers, preparePrograms } from './programs.mjs';

const START_ATTEMPTS = 10;
const START_PATIENCE_MS = 60_000;
const FORMER_LAUNCHER_PATIENCE_MS = 15_000;
const LOG_TAIL_LENGTH = 16_384;

/** What goes away by itself: somebody took the port, or the processes of a killed server are still ending. */
const PASSING_TROUBLE = /could not bind|Address already in use|pre-existing shared memory block/;

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=200',
  'shared_buffers=64MB',
];

/**
 * @typedef {object} ServerOptions
 * @property {string} directory holds the data folder, and a copy of the programs if one is needed
 * @property {number} major PostgreSQL's major version
 * @property {readonly string[]} [settings] `name=value`, after and over those of this file
 * @property {boolean} [fresh] throw away what is stored; default false
 * @property {(text: string) => void} [log]
 */

/**
 * @typedef {object} Server
 * @property {string} url
 * @property {number} port
 * @property {number} pid
 * @property {Promise<number | NodeJS.Signals>} exited exit code or signal
 * @property {() => string} logTail the last lines the server wrote
 * @property {() => Promise<void>} stop safe to call twice
 */

/**
 * Starts the server and resolves when it takes connections.
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer({ directory, major, settings = [], fresh = false, log = () => undefined }) {
  ensureDirectory(directory);
  const release = await lockDirectory(directory, major);
  try {
    const account = chooseAccount();
    if (account !== undefined) refuseClosedFolder(directory, account);
    const programs = preparePrograms({ major, directory, asOther: account !== undefined });
    if (fresh) await removeData(directory, major);
    const { data, password } = ensureData({ directory, major, initdb: programs.initdb, account });
    const stale = await endStaleServer(data);
    if (stale !== undefined) log(`Ended a PostgreSQL that was left behind (process ${stale}).`);
    const running = await run({ program: programs.postgres, data, settings, account, cwd: directory });
    void running.exited.finally(release);
    return { ...running, url: `postgresql://postgres:${password}@127.0.0.1:${running.port}/postgres` };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Two launchers on one folder would end each other's server. One whose parent was killed needs a moment to go.
 * @param {string} directory
 * @param {number} major
 */
async function lockDirectory(directory, major) {
  try {
    return await acquireLock(join(directory, `server-${major}.lock`), { waitMs: FORMER_LAUNCHER_PATIENCE_MS });
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    throw new Error(`${directory} is in use by another PostgreSQL launcher (process ${error.holder}).`, {
      cause: error,
    });
  }
}

/**
 * @param {string} directory
 * @param {import('./account.mjs').Account} account
 */
function refuseClosedFolder(directory, { uid }) {
  if (isReachableByOthers(directory)) return;
  throw new Error(
    `As root, PostgreSQL runs as account ${uid}, which cannot get into ${directory}: ` +
      'a folder above it is closed to others. Set TMPDIR to an open folder such as /tmp.',
  );
}

/**
 * @typedef {object} Launch
 * @property {string} program
 * @property {string} data
 * @property {readonly string[]} settings
 * @property {import('./account.mjs').Account | undefined} account
 * @property {string} cwd
 */

/**
 * PostgreSQL cannot choose a port itself: take a free one, and try again if somebody was faster.
 * @param {Launch} launch
 */
async function run(launch) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = spawnServer(launch, port);
    const outcome = await Promise.race([server.ready, server.exited, expiry(START_PATIENCE_MS)]);
    if (outcome === 'ready') return { ...server, port };
    await server.stop();
    if (attempt === START_ATTEMPTS || !PASSING_TROUBLE.test(server.logTail())) {
      throw new Error(`PostgreSQL did not start (${outcome}).\n${server.logTail()}`);
    }
    await delay(200);
  }
}

/**
 * @param {Launch} launch
 * @param {number} port
 */
function spawnServer({ program, data, settings, account, cwd }, port) {
  const flags = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  const child = spawn(program, ['-D', data, '-p', String(port), ...flags], {
    ...account,
    cwd,
    env: SERVER_ENVIRONMENT,
    detached: true, // Ctrl+C in a terminal reaches the whole process group; the database must outlive the applications
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let tail = '';
  /** @type {Promise<number | NodeJS.Signals>} */
  const exited = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1));
    child.once('error', (error) => {
      tail += error.message;
      resolve(1);
    });
  });
  const ready = new Promise((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      tail = (tail + chunk).slice(-LOG_TAIL_LENGTH);
      if (tail.includes('database system is ready to accept connections')) resolve('ready');
    });
  });
  return { pid: child.pid ?? 0, ready, exited, logTail: () => tail, stop: () => stop(child, exited) };
}

/**
 * A fast shutdown; if that takes long, an immediate one, after which the next start recovers from the log.
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} exited
 */
async function stop(child, exited) {
  child.kill('SIGINT');
  const impatience = [setTimeout(() => child.kill('SIGQUIT'), 2_000), setTimeout(() => child.kill('SIGKILL'), 6_000)];
  await exited;
  impatience.forEach(clearTimeout);
}

/** @param {number} ms */
const expiry = (ms) => delay(ms, `not ready after ${ms / 1_000} s`, { ref: false });
