import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../libs/scheduled-jobs/bin/nestjs-scheduled-jobs.mjs', import.meta.url));
const APPS = new URL('./command-apps/', import.meta.url);

/** Tells the runner to close the standard error output of a program. */
const UNHEARD = 'TEST_UNHEARD';

type Environment = Readonly<Record<string, string>>;

/** How a command ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface StartedProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The path of an application for commands. */
export const commandApp = (name: string): string => fileURLToPath(new URL(`${name}.mjs`, APPS));

/** Runs the built program as a user does, by its name, and waits for its end. `folder` is that of the applications by default. */
export const runProgram = (args: readonly string[], env: Environment = {}, folder?: string): Promise<Ended> =>
  startProgram(args, env, folder).ended;

/** The same without a wait. */
export const startProgram = (args: readonly string[], env: Environment = {}, folder?: string): StartedProgram =>
  start(PROGRAM, args, env, folder);

/** The same while nobody reads the standard error output. */
export const runUnheard = (args: readonly string[], env: Environment = {}): Promise<Ended> =>
  start(PROGRAM, args, { ...env, [UNHEARD]: 'yes' }).ended;

/** Runs a text of JavaScript in a plain Node, and waits until nothing keeps its process. */
export const runScript = (text: string, env: Environment = {}): Promise<Ended> =>
  start(process.execPath, ['--input-type=module', '--eval', text], env).ended;

function start(file: string, args: readonly string[], env: Environment, folder = fileURLToPath(APPS)): StartedProgram {
  const child = spawn(file, args, {
    cwd: folder,
    // A process of its own: not one with the flags and the mode of the test runner.
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (env[UNHEARD] !== undefined) child.stderr.destroy();
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: string[] = [];
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    return chunks;
  });
  const ended = once(child, 'close').then(() => ({
    exitCode: child.exitCode,
    stdout: stdout!.join(''),
    stderr: stderr!.join(''),
  }));
  return { child, ended };
}
