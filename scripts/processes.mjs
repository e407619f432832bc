// What the operating system knows about other processes: read from /proc where there is one (small images have no `ps`).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const hasProc = existsSync('/proc/self/stat');

/**
 * When a process began, as a text to compare: it tells a process from a later one that got the same id.
 * Undefined once the process has ended, also while its parent has not collected it yet.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function startOf(pid) {
  const [state, start] = hasProc ? statFromProc(pid) : statFromPs(pid);
  return state === undefined || /^[ZX]/.test(state) ? undefined : start;
}

/** @param {number} pid */
export const isAlive = (pid) => startOf(pid) !== undefined;

/**
 * The command line of a process, its words separated by blanks; empty once the process has ended.
 * @param {number} pid
 */
export function commandOf(pid) {
  if (!hasProc) return ps(pid, 'args=');
  return readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/**
 * Sends one signal after the other, each followed by its patience, until the process is gone.
 * @param {number} pid
 * @param {readonly { readonly signal: NodeJS.Signals, readonly patienceMs: number }[]} steps
 */
export async function endProcess(pid, steps) {
  for (const { signal, patienceMs } of steps) {
    sendSignal(pid, signal);
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await delay(20)) {
      if (!isAlive(pid)) return;
    }
  }
}

/**
 * A negative `pid` names a process group. Not an error when nothing is left to signal.
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

/**
 * @param {unknown} error
 * @param {...string} codes
 * @returns {error is NodeJS.ErrnoException}
 */
export function isErrno(error, ...codes) {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** @param {number} pid */
function statFromProc(pid) {
  const text = readProc(pid, 'stat');
  // the second field, the program's name, may hold blanks and parentheses; the state is the third, the start the 22nd
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' ? [] : [fields[0], fields[19]];
}

/** @param {number} pid */
function statFromPs(pid) {
  const [state, ...start] = ps(pid, 'stat=,lstart=').split(/\s+/);
  return state === '' ? [] : [state, start.join(' ')];
}

/**
 * @param {number} pid
 * @param {string} file
 */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

/**
 * @param {number} pid
 * @param {string} columns
 */
function ps(pid, columns) {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return ''; // it has ended
  }
}
