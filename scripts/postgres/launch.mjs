// Runs the launcher as a process of its own, so that the database survives its user's crash for just as long as it takes to stop it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../postgres.mjs', import.meta.url));
/** Longer than the launcher's own patience with the server. */
const STOP_PATIENCE_MS = 10_000;

/**
 * @typedef {object} LaunchOptions
 * @property {string} [directory] default: a folder of this checkout below the system's temporary folder
 * @property {number} [major] PostgreSQL's major version, 15 or 18; default 18
 * @property {readonly string[]} [settings] `name=value`, over those for tests
 * @property {boolean} [fresh] throw away what the folder's database holds
 * @property {boolean} [temporary] remove the folder when the server has stopped
 */

/**
 * @typedef {object} LaunchedPostgres
 * @property {string} url
 * @property {number} pid PostgreSQL's own
 * @property {Promise<void>} exited
 * @property {() => Promise<void>} stop safe to call twice
 */

/**
 * Starts a private PostgreSQL that stops with this process, whatever ends it.
 * @param {LaunchOptions} [options]
 * @returns {Promise<LaunchedPostgres>}
 */
export async function launchPostgres({ directory, major, settings = [], fresh = false, temporary = false } = {}) {
  const args = [
    ...(directory === undefined ? [] : ['--dir', directory]),
    ...(major === undefined ? [] : ['--version', String(major)]),
    ...settings.flatMap((setting) => ['-c', setting]),
    ...(fresh ? ['--fresh'] : []),
    ...(temporary ? ['--temporary'] : []),
  ];
  // detached: Ctrl+C in a terminal must not stop the database before its users; that the pipe closes will
  const child = spawn(process.execPath, [LAUNCHER, ...args], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'exit').then(() => undefined);
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited]);
  if (line === undefined) throw new Error('PostgreSQL did not start; the reason stands above.');
  const { url, pid } = JSON.parse(line[0]);
  const stop = async () => {
    child.stdin.end('stop\n');
    const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
    await exited;
    clearTimeout(impatience);
  };
  return { url, pid, exited, stop };
}
