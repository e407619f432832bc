import { spawn } from 'node:child_process';

const SHUTDOWN_PATIENCE_MS = 10_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGTERM')));

/**
 * Runs a program to its end, without a shell. It does not outlive this process, unless that is killed.
 * @param {readonly [program: string, ...args: string[]]} command
 * @param {{ readonly cwd: string, readonly show?: boolean, readonly signal?: AbortSignal }} options
 *   `show`: let it write to the terminal instead of collecting what it says; `signal` ends it
 * @returns {Promise<{ readonly exitCode: number, readonly output: string }>}
 */
export async function runProgram([program, ...args], { cwd, show = false, signal }) {
  const child = spawn(program, args, {
    cwd,
    env: show ? process.env : { ...process.env, NO_COLOR: '1' },
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  signal?.addEventListener('abort', () => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), SHUTDOWN_PATIENCE_MS).unref();
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (output += chunk));
  }
  try {
    const exitCode = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
    return { exitCode, output };
  } finally {
    running.delete(child);
  }
}
