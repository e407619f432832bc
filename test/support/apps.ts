import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../dist/apps/', import.meta.url));
const SUPERVISED = new URL('../../scripts/supervised.mjs', import.meta.url).href;

/** What an app says once it serves: the port it listens on, if it does. */
interface ReadyMessage {
  readonly ready: true;
  readonly port?: number;
}

export interface RunningApp {
  readonly process: ChildProcess;
  readonly port: number | undefined;
  /** Everything it has written so far. */
  output(): string;
  /** Default SIGTERM. Resolves with the exit code, or the signal that ended it. Safe to call when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/**
 * Starts a built app as a process of its own and waits until it is ready. It ends with this process.
 * @throws Error with what the app has written, when it ends before it is ready.
 */
export async function startApp(name: 'api' | 'worker', env: Readonly<Record<string, string>>): Promise<RunningApp> {
  const child = fork(`${DIST}${name}/main.js`, [], {
    execArgv: ['--import', SUPERVISED], // instead of the flags of the Vitest worker
    env: { ...process.env, VITEST: '', NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = collect(child);
  const ready = await Promise.race([once(child, 'message'), once(child, 'close').then(() => undefined)]);
  if (ready === undefined) throw new Error(`${name} did not start:\n${output()}`);
  return { process: child, port: (ready[0] as ReadyMessage).port, output, stop: (signal) => stop(child, signal) };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  return () => text;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode ?? child.signalCode;
}
