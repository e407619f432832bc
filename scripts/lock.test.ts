import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, LockHeldError, withLock } from './lock.mjs';
import { isAlive, startOf } from './processes.mjs';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('acquireLock', () => {
  it('keeps others out until it is given back', async () => {
    const release = await acquireLock(path);
    await expect(acquireLock(path)).rejects.toThrow(LockHeldError);
    release();
    expect(existsSync(path)).toBe(false);
    (await acquireLock(path))();
  });

  it('names the holder', async () => {
    const release = await acquireLock(path);
    await expect(acquireLock(path)).rejects.toMatchObject({ holder: process.pid });
    release();
  });

  it('gives the lock to the one who waits', async () => {
    const release = await acquireLock(path);
    const waiting = acquireLock(path, { waitMs: 10_000 });
    release();
    const releaseAgain = await waiting;
    expect(existsSync(path)).toBe(true);
    releaseAgain();
  });

  it('takes over the lock of a process that has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(path, `${pid} 1`);
    const release = await acquireLock(path);
    expect(readFileSync(path, 'utf8')).toBe(`${process.pid} ${startOf(process.pid)}`);
    release();
  });

  it('takes over the lock of an ended process whose id another one has now', async () => {
    writeFileSync(path, `${process.pid} 1`);
    const release = await acquireLock(path);
    expect(readFileSync(path, 'utf8')).toBe(`${process.pid} ${startOf(process.pid)}`);
    release();
  });

  it('does not take the lock of a process that is about to write its name', async () => {
    writeFileSync(path, '');
    await expect(acquireLock(path)).rejects.toThrow(LockHeldError);
  });
});

describe('withLock', () => {
  it('gives the lock back when the action fails', async () => {
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(path)).toBe(false);
  });
});

describe('isAlive', () => {
  it('tells a running process from one that has ended', () => {
    expect(isAlive(process.pid)).toBe(true);
    expect(isAlive(spawnSync(process.execPath, ['--version']).pid)).toBe(false);
  });
});
