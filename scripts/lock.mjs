// A lock between processes: a file that names its holder. The lock of a holder that died is simply taken over.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno, startOf } from './processes.mjs';

const WRITING_TAKES_AT_MOST_MS = 5_000;

/** The lock is held by a living process, and it stayed so for as long as we were to wait. */
export class LockHeldError extends Error {
  /**
   * @param {string} path
   * @param {number} holder
   */
  constructor(path, holder) {
    super(`${path} is held by process ${holder}.`);
    this.holder = holder;
  }
}

/**
 * Takes the lock and returns the function that gives it back. Not re-entrant.
 * @param {string} path
 * @param {{ readonly waitMs?: number }} [options] default: do not wait
 * @throws {LockHeldError}
 */
export async function acquireLock(path, { waitMs = 0 } = {}) {
  const deadline = Date.now() + waitMs;
  while (!create(path)) {
    const text = read(path);
    const holder = livingHolder(path, text);
    if (holder === undefined) discard(path, text);
    else if (Date.now() >= deadline) throw new LockHeldError(path, holder);
    else await delay(100);
  }
  return () => rmSync(path, { force: true });
}

/**
 * @template T
 * @param {string} path
 * @param {() => Promise<T> | T} action
 * @param {{ readonly waitMs?: number }} [options]
 */
export async function withLock(path, action, options) {
  const release = await acquireLock(path, options);
  try {
    return await action();
  } finally {
    release();
  }
}

/** @param {string} path */
function create(path) {
  return unlessErrno('EEXIST', false, () => {
    writeFileSync(path, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx' });
    return true;
  });
}

/** @param {string} path */
function read(path) {
  return unlessErrno('ENOENT', '', () => readFileSync(path, 'utf8'));
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {number | undefined}
 */
function livingHolder(path, text) {
  const blank = text.indexOf(' ');
  const pid = Number(text.slice(0, blank));
  if (blank > 0) return startOf(pid) === text.slice(blank + 1) ? pid : undefined;
  // empty: its holder has created it and is about to write
  const ageMs = unlessErrno('ENOENT', Infinity, () => Date.now() - statSync(path).mtimeMs);
  return ageMs < WRITING_TAKES_AT_MOST_MS ? 0 : undefined;
}

/**
 * Removes the lock of a dead holder, and only that: meanwhile another process may have taken it over.
 * @param {string} path
 * @param {string} text
 */
function discard(path, text) {
  const aside = `${path}.${process.pid}`;
  unlessErrno('ENOENT', undefined, () => {
    renameSync(path, aside);
    if (read(aside) === text) rmSync(aside);
    else renameSync(aside, path);
  });
}

/**
 * @template T
 * @param {string} code
 * @param {T} fallback
 * @param {() => T} action
 */
function unlessErrno(code, fallback, action) {
  try {
    return action();
  } catch (error) {
    if (isErrno(error, code)) return fallback;
    throw error;
  }
}
