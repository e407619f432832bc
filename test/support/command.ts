import { spawn } from 'node:child_process';
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

/** The path of an application for commands. */
export const commandApp = (name: string): string => fileURLToPath(new URL(`${name}.mjs`, APPS));

/** Runs the built program as a user does, by its name, and waits for its end. `folder` is that of the applications by default. */
export const runProgram = (args: readonly string[], env: Environment = {}, folder?: string): Promise<Ended> =>
  run(PROGRAM, args, env, folder);

/** The same while nobody reads the standard error output. */
export const runUnheard = (args: readonly string[], env: Environment = {}): Promise<Ended> =>
  run(PROGRAM, args, { ...env, [UNHEARD]: 'yes' });

/** Runs a text of JavaScript in a plain Node, and waits until nothing keeps its process. */
export const runScript = (text: string, env: Environment = {}): Promise<Ended> =>
  run(process.execPath, ['--input-type=module', '--eval', text], env);

async function run(
  file: string,
  args: readonly string[],
  env: Environment,
  folder = fileURLToPath(APPS),
): Promise<Ended> {
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
  await once(child, 'close');
  return { exitCode: child.exitCode, stdout: stdout!.join(''), stderr: stderr!.join('') };
}
