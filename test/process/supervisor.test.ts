import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../scripts/processes.mjs';

const SUPERVISOR = new URL('../../scripts/supervisor.mjs', import.meta.url).href;
const APP = `process.send({ ready: true, port: process.pid }); setInterval(() => undefined, 1_000);`;

let launcher: ChildProcess | undefined;
afterEach(() => launcher?.kill('SIGKILL'));

/** Runs a launcher that supervises one app; `lines` is what it prints. */
function supervise(app: string) {
  const code = `
    import { superviseFrom } from ${JSON.stringify(SUPERVISOR)};
    await superviseFrom(async (supervisor) => {
      const { port } = await supervisor.startApp({ name: 'app', args: ['--eval', ${JSON.stringify(app)}], env: {} });
      console.log(port);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  launcher = child;
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(child, 'exit').then(([exitCode]) => ({ exitCode: exitCode as number | null, complaint }));
  const pidOfApp = once(createInterface({ input: child.stdout }), 'line').then(([line]) => Number(line));
  return { child, ended, pidOfApp };
}

async function goneWithin(pid: number, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(20)) if (!isAlive(pid)) return true;
  return false;
}

describe('superviseFrom', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops its apps on %s and ends well', async (signal) => {
    const { child, ended, pidOfApp } = supervise(APP);
    const pid = await pidOfApp;
    child.kill(signal);
    expect((await ended).exitCode).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('leaves no app behind when it is killed', async () => {
    const { child, pidOfApp } = supervise(APP);
    const pid = await pidOfApp;
    child.kill('SIGKILL');
    expect(await goneWithin(pid, 5_000)).toBe(true);
  });

  it('fails when an app ends before it is ready', async () => {
    const { ended } = supervise('process.exit(3)');
    expect(await ended).toEqual({ exitCode: 1, complaint: 'app ended before it was ready (3).\n' });
  });

  it('fails when an app ends soon after it was ready', async () => {
    const { ended, pidOfApp } = supervise(APP);
    process.kill(await pidOfApp, 'SIGKILL');
    expect((await ended).exitCode).toBe(1);
  });
});
