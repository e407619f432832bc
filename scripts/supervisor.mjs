// Runs several applications and their database so that they stop together and in order: the applications drain, then the
// database goes. Each is a process group of its own, for Ctrl+C in a terminal reaches the whole group of the launcher at
// once. If the launcher is killed, the applications see their channel close (supervised.mjs), and PostgreSQL's launcher
// sees the end of its standard input.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { launchPostgres } from './postgres/launch.mjs';
import { sendSignal } from './processes.mjs';
import { onStopRequest } from './stop-request.mjs';

const SUPERVISED = new URL('supervised.mjs', import.meta.url).href;
const READY_WITHIN_MS = 60_000;
const DRAIN_PATIENCE_MS = 7_000;
const SHORTEST_USEFUL_LIFE_MS = 5_000;

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/**
 * Runs `start` and then whatever it has started, until something asks to stop; ends this process.
 * @param {(supervisor: Supervisor) => Promise<void>} start
 */
export async function superviseFrom(start) {
  const supervisor = new Supervisor();
  onStopRequest((reason) => void supervisor.stop(reason));
  process.stdout.on('error', () => void supervisor.stop('nobody reads its output any more'));
  try {
    await start(supervisor);
  } catch (error) {
    if (!supervisor.isStopping) console.error(error instanceof Error ? error.message : error);
    void supervisor.stop('the start failed', 1);
  }
  process.exit(await supervisor.stopped);
}

/**
 * @typedef {object} App
 * @property {string} name as messages call it
 * @property {readonly string[]} args for Node: the file, and what comes before and after it
 * @property {Readonly<Record<string, string>>} env on top of this process's own environment
 */

export class Supervisor {
  /** @type {Set<ChildProcess>} */
  #children = new Set();
  /** @type {Promise<import('./postgres/launch.mjs').LaunchedPostgres> | undefined} */
  #postgres;
  /** @type {Promise<void> | undefined} */
  #stopping;
  /** @type {(exitCode: number) => void} */
  #resolveStopped = () => undefined;

  /**
   * The exit code, once everything has stopped.
   * @type {Promise<number>}
   */
  stopped = new Promise((resolve) => {
    this.#resolveStopped = resolve;
  });

  get isStopping() {
    return this.#stopping !== undefined;
  }

  /**
   * Starts a private PostgreSQL; if it ends, everything does.
   * @param {import('./postgres/launch.mjs').LaunchOptions} [options]
   */
  async startPostgres(options) {
    this.#postgres = launchPostgres(options);
    const postgres = await this.#postgres;
    void postgres.exited.then(() => this.stop('PostgreSQL has ended', 1));
    return postgres;
  }

  /**
   * Starts an application and waits for its message `{ ready: true, port? }`. One that ends later is started again, as
   * an orchestrator would; one that ends within seconds ends everything.
   * @param {App} app
   * @returns {Promise<{ readonly pid: number | undefined, readonly port: number | undefined }>}
   * @throws when it ends before it is ready, or is not ready within a minute
   */
  async startApp(app) {
    const child = this.#spawn(app);
    const startedAt = Date.now();
    const port = await readyPort(app.name, child);
    child.once('exit', (code, signal) => {
      const lifeMs = Date.now() - startedAt;
      void this.#replace(app, `${app.name} (process ${child.pid}) has ended (${signal ?? code})`, lifeMs);
    });
    return { pid: child.pid, port };
  }

  /**
   * Sends a request to every child that is running, and resolves when each has answered or ended.
   * @param {string} request
   */
  async ask(request) {
    await Promise.all([...this.#children].map((child) => askChild(child, request)));
  }

  /**
   * Starts a program that runs until the end; if it ends earlier, everything does.
   * @param {App} program
   */
  startProgram(program) {
    this.#spawn(program).once('exit', () => void this.stop(`${program.name} has ended`, 1));
  }

  /**
   * Stops the applications, those that do not drain in time by force, then the database. Only the first call counts.
   * @param {string} reason
   * @param {number} [exitCode] default 0
   */
  stop(reason, exitCode = 0) {
    this.#stopping ??= this.#stopAll(reason).then(() => this.#resolveStopped(exitCode));
    return this.#stopping;
  }

  /** @param {App} app */
  #spawn({ name, args, env }) {
    if (this.isStopping) throw new Error(`${name} is not started: everything is stopping.`);
    const child = spawn(process.execPath, ['--import', SUPERVISED, ...args], {
      detached: true,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#children.add(child);
    child.once('exit', () => {
      this.#children.delete(child);
      killGroup(child); // whatever it has started itself
    });
    return child;
  }

  /**
   * @param {App} app
   * @param {string} event
   * @param {number} lifeMs
   */
  async #replace(app, event, lifeMs) {
    if (this.isStopping) return;
    if (lifeMs < SHORTEST_USEFUL_LIFE_MS) return this.stop(event, 1);
    console.log(`${event}; starting another.`);
    try {
      await this.startApp(app);
    } catch (error) {
      return this.stop(String(error), 1);
    }
  }

  /** @param {string} reason */
  async #stopAll(reason) {
    if (this.#children.size === 0 && this.#postgres === undefined) return;
    console.log(`\nStopping (${reason}) …`);
    await Promise.all([...this.#children].map(drain));
    const postgres = await this.#postgres?.catch(() => undefined);
    await postgres?.stop();
    console.log('Stopped.');
  }
}

/**
 * @param {string} name
 * @param {ChildProcess} child
 * @returns {Promise<number | undefined>}
 */
async function readyPort(name, child) {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message.port),
      once(child, 'exit', { signal }).then(([code, by]) => {
        throw new Error(`${name} ended before it was ready (${by ?? code}).`);
      }),
      delay(READY_WITHIN_MS, undefined, { signal }).then(() => {
        throw new Error(`${name} was not ready within ${READY_WITHIN_MS / 1_000} s.`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}

/**
 * @param {ChildProcess} child
 * @param {string} request
 */
async function askChild(child, request) {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const answer = Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })]);
    child.send(request);
    await answer;
  } finally {
    settled.abort();
  }
}

/** @param {ChildProcess} child */
async function drain(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const impatience = setTimeout(() => killGroup(child), DRAIN_PATIENCE_MS);
  await ended;
  clearTimeout(impatience);
}

/** @param {ChildProcess} child */
function killGroup({ pid }) {
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
}
