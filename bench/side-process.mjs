// The parent's half of a comparison: one child process, asked one thing after the other.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** @typedef {'ours' | 'graphile-worker' | 'pg-boss'} SideName */

/** @type {Readonly<Record<SideName, string>>} */
const FILES = {
  ours: fileURLToPath(new URL('./sides/ours.mjs', import.meta.url)),
  'graphile-worker': fileURLToPath(new URL('./comparisons/graphile-worker.mjs', import.meta.url)),
  'pg-boss': fileURLToPath(new URL('./comparisons/pg-boss.mjs', import.meta.url)),
};

const ANSWER_PATIENCE_MS = 15 * 60_000;
const CLOSE_PATIENCE_MS = 20_000;

/** @typedef {{ readonly cpuMs: number, readonly rssBytes: number, readonly peakBytes: number }} Usage */

export class SideProcess {
  /**
   * @param {SideName} name
   * @param {string} node the program that runs it
   */
  constructor(name, node) {
    this.name = name;
    this.requests = 0;
    // Whatever it prints must not get into our answer.
    this.child = fork(FILES[name], [], { execPath: node, execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
    this.exited = once(this.child, 'exit').then(([code, signal]) => `exit of ${name} (${signal ?? code})`);
  }

  /**
   * Asks for a task.
   * @param {import('./sides/side.mjs').TaskName} task
   * @param {object} [options]
   * @param {number} [patienceMs]
   * @returns {Promise<any>} its result
   * @throws when the task fails, the process ends, or the answer takes too long
   */
  async request(task, options = {}, patienceMs = ANSWER_PATIENCE_MS) {
    const id = ++this.requests;
    /** @type {NodeJS.Timeout | undefined} */
    let late;
    const answer = new Promise((resolve, reject) => {
      const onMessage = (/** @type {any} */ message) => {
        if (message.id !== id) return;
        this.child.off('message', onMessage);
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(`${this.name} failed at ${task}: ${message.error}`));
      };
      this.child.on('message', onMessage);
      void this.exited.then((end) => reject(new Error(`${end} during ${task}`)));
      late = setTimeout(() => reject(new Error(`${this.name} did not end ${task} in ${patienceMs} ms`)), patienceMs);
    });
    try {
      this.child.send({ id, task, options });
      return await answer;
    } finally {
      clearTimeout(late);
    }
  }

  /** @returns {Promise<Usage>} */
  usage() {
    return this.request('usage');
  }

  /** Lets it close its connections, and ends it. */
  async close() {
    if (this.child.connected) await this.request('close', {}, CLOSE_PATIENCE_MS).catch(() => undefined);
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
