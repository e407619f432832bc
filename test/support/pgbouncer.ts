import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-ports.mjs';
import { eventually } from './engine.js';

/** Whether the program is installed: Debian's package `pgbouncer` brings it. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** PgBouncer that hands a connection on after each transaction, and has few of them. */
export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one in front of a database, on the loopback interface. It refuses root, and then runs as `nobody`. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), `scheduled-jobs-test-${process.pid}-pgbouncer-`));
  chmodSync(directory, 0o755);
  const database = target.pathname.slice(1);
  const users = join(directory, 'users.txt');
  const settings = join(directory, 'pgbouncer.ini');
  writeFileSync(users, `"${target.username}" "${target.password}"\n`, { mode: 0o644 });
  writeFileSync(
    settings,
    `[databases]
${database} = host=${target.hostname} port=${target.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
ignore_startup_parameters = extra_float_digits,options
`,
    { mode: 0o644 },
  );
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('sh', ['-c', UNTIL_INPUT_ENDS, 'sh', '-q', ...user, settings], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (text) => (log += String(text)));
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await eventually(() => isOpen(port), { what: `PgBouncer on port ${port}` });
  } catch (error) {
    await stop();
    throw new Error(`PgBouncer did not start: ${log}`, { cause: error });
  }
  const url = new URL(databaseUrl);
  url.port = String(port);
  return { url: url.href, stop };
}

/** It ends with the process that started it, whatever ends that. */
const UNTIL_INPUT_ENDS = 'pgbouncer "$@" & cat > /dev/null; kill -9 $!; wait';

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
