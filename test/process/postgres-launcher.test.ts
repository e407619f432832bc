import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endProcess, isAlive } from '../../scripts/processes.mjs';

const LAUNCHER = fileURLToPath(new URL('../../scripts/postgres.mjs', import.meta.url));
const DIRECTORY = join(tmpdir(), `scheduled-jobs-test-${process.pid}-launcher`);

interface Launched {
  readonly launcher: ChildProcess;
  readonly url: string;
  readonly pid: number;
  /** How it ended, and what it wrote to its standard error. */
  readonly ended: Promise<{ readonly code: number | null; readonly complaint: string }>;
}

let started: ChildProcess[];
let servers: number[];

beforeEach(() => {
  started = [];
  servers = [];
});

afterEach(async () => {
  for (const launcher of started) launcher.kill('SIGKILL');
  await Promise.all(servers.map((pid) => endProcess(pid, [{ signal: 'SIGKILL', patienceMs: 5_000 }])));
  rmSync(DIRECTORY, { recursive: true, force: true });
});

function run(...args: readonly string[]) {
  const launcher = spawn(process.execPath, [LAUNCHER, '--dir', DIRECTORY, ...args], { stdio: 'pipe' });
  started.push(launcher);
  let complaint = '';
  launcher.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(launcher, 'close').then(([code]) => ({ code: code as number | null, complaint }));
  return { launcher, ended };
}

async function launch(...args: readonly string[]): Promise<Launched> {
  const { launcher, ended } = run(...args);
  const line = once(createInterface({ input: launcher.stdout }), 'line');
  const first = await Promise.race([line, ended]);
  if (!Array.isArray(first)) throw new Error(first.complaint);
  const { url, pid } = JSON.parse(first[0] as string) as { url: string; pid: number };
  servers.push(pid);
  return { launcher, url, pid, ended };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('scripts/postgres.mjs', () => {
  it('stops with its parent and, if asked to, leaves nothing', async () => {
    const { launcher, pid, ended } = await launch('--temporary');
    launcher.stdin?.end(); // what the kernel does when the parent is killed
    expect(await ended).toEqual({ code: 0, complaint: 'PostgreSQL stops: its standard input has ended.\n' });
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(DIRECTORY)).toBe(false);
  });

  it('ends the server of a killed launcher and goes on with its data', async () => {
    const first = await launch();
    await query(first.url, 'create table kept (id int)');
    const ended = once(first.launcher, 'exit');
    first.launcher.kill('SIGKILL');
    await ended;
    expect(isAlive(first.pid)).toBe(true);

    const second = await launch();
    expect(isAlive(first.pid)).toBe(false);
    expect(await query(second.url, "select to_regclass('kept')::text as name")).toEqual([{ name: 'kept' }]);
  });

  it('is silent when it is told to stop, and begins anew when it is told so', async () => {
    const first = await launch();
    await query(first.url, 'create table kept (id int)');
    first.launcher.stdin?.end('stop\n');
    expect(await first.ended).toEqual({ code: 0, complaint: '' });
    const second = await launch('--fresh');
    expect(await query(second.url, "select to_regclass('kept')::text as name")).toEqual([{ name: null }]);
  });

  it('starts the version and the settings it is asked for, reachable on the loopback interface only', async () => {
    const { url } = await launch('--version', '15', '-c', 'work_mem=5MB');
    const [row] = await query(
      url,
      `select current_setting('server_version_num')::int / 10000 as version, current_setting('work_mem') as memory,
              current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets`,
    );
    expect(row).toEqual({ version: 15, memory: '5MB', addresses: '127.0.0.1', sockets: '' });
  });

  it('fails when the server ends by itself', async () => {
    const { launcher, pid } = await launch();
    const ended = once(launcher, 'exit');
    process.kill(pid, 'SIGKILL');
    expect(await ended).toEqual([1, null]);
  });

  it('names the versions there are', async () => {
    const { code, complaint } = await run('--version', '14').ended;
    expect({ code, complaint }).toEqual({
      code: 1,
      complaint: 'PostgreSQL 14 is not available here; choose one of 15, 18.\n',
    });
  });
});
