// The child's half of a comparison: a process that enqueues or works, and answers one request of its parent after the other.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @typedef {object} Payload
 * @property {number} i
 * @property {number} userId
 * @property {string} kind
 * @property {string} to
 */

/**
 * What a job queue has to offer to be measured.
 * @typedef {object} Side
 * @property {(options: { readonly url: string, readonly hints: boolean, readonly handle: (payload: Payload) => void }) => Promise<void>} open
 *   connects and makes the tables; `hints`: workers are told of new jobs, where that is a choice; each job calls `handle`
 * @property {() => Promise<void>} startWorker
 * @property {() => Promise<void>} stopWorker
 * @property {(payloads: readonly Payload[], keyed: boolean) => Promise<unknown>} enqueueMany in one call
 * @property {(payload: Payload) => Promise<unknown>} enqueue
 * @property {() => Promise<void>} close
 *
 * @typedef {{ readonly id: number, readonly task: TaskName, readonly options: never }} Request
 * @typedef {'open' | 'startWorker' | 'stopWorker' | 'enqueueMany' | 'enqueueEach' | 'drain' | 'latency' | 'usage' | 'close'} TaskName
 */

const MEMORY_SAMPLE_MS = 20;
/** Between two samples of latency the system is idle; not in step with anything that polls. */
const REST_MS = { least: 60, spread: 40 };

/** @param {number} i */
const payloadOf = (i) => ({ i, userId: 12_345, kind: 'email.welcome', to: 'someone@example.com' });

/**
 * Serves requests until the parent goes.
 * @param {Side} side
 */
export function serve(side) {
  const tasks = new Tasks(side);
  process.on('message', async (/** @type {Request} */ { id, task, options }) => {
    try {
      process.send?.({ id, result: await tasks[task](options) });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.stack : String(error) });
    }
  });
  process.on('disconnect', () => process.exit(0));
}

/** What the parent may ask for. */
class Tasks {
  /** @param {Side} side */
  constructor(side) {
    this.side = side;
    this.handled = 0;
    this.peakBytes = 0;
    /** @type {() => void} */
    this.onHandled = () => undefined;
  }

  /** @param {{ readonly url: string, readonly hints: boolean }} options */
  async open(options) {
    await this.side.open({ ...options, handle: () => this.handle() });
  }

  startWorker() {
    return this.side.startWorker();
  }

  stopWorker() {
    return this.side.stopWorker();
  }

  /** @param {{ readonly from: number, readonly count: number, readonly perCall: number, readonly callers: number, readonly keyed: boolean }} options */
  async enqueueMany({ from, count, perCall, callers, keyed }) {
    await this.share(callers, { from, count, step: perCall }, (first) => {
      const size = Math.min(perCall, from + count - first);
      const payloads = Array.from({ length: size }, (_, index) => payloadOf(first + index));
      return this.side.enqueueMany(payloads, keyed);
    });
  }

  /** @param {{ readonly count: number, readonly callers: number }} options */
  async enqueueEach({ count, callers }) {
    await this.share(callers, { from: 0, count, step: 1 }, (i) => this.side.enqueue(payloadOf(i)));
  }

  /**
   * Starts the worker; resolves when so many handlers have run.
   * @param {{ readonly count: number }} options
   */
  async drain({ count }) {
    this.handled = 0;
    const done = new Promise((resolve) => {
      this.onHandled = () => this.handled === count && resolve(undefined);
    });
    this.peakBytes = 0;
    const sampling = setInterval(() => this.sampleMemory(), MEMORY_SAMPLE_MS);
    await this.side.startWorker();
    await done;
    clearInterval(sampling);
  }

  /**
   * Milliseconds from an enqueue to the start of its handler, one after the other on an idle system.
   * @param {{ readonly samples: number }} options
   */
  async latency({ samples }) {
    const latencies = [];
    for (let i = 0; i < samples; i++) {
      await delay(REST_MS.least + Math.random() * REST_MS.spread);
      const started = new Promise((resolve) => {
        this.onHandled = () => resolve(performance.now());
      });
      const sentMs = performance.now();
      await this.side.enqueue(payloadOf(i));
      latencies.push((await started) - sentMs);
    }
    return latencies;
  }

  /** What this process has used: CPU time since its start, memory now, and at the most since the last drain began. */
  usage() {
    this.sampleMemory();
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss(), peakBytes: this.peakBytes };
  }

  close() {
    return this.side.close();
  }

  handle() {
    this.handled += 1;
    this.onHandled();
  }

  sampleMemory() {
    this.peakBytes = Math.max(this.peakBytes, process.memoryUsage.rss());
  }

  /**
   * Callers that each make one call after the other, until everything is taken.
   * @param {number} callers
   * @param {{ readonly from: number, readonly count: number, readonly step: number }} range
   * @param {(first: number) => Promise<unknown>} call
   */
  async share(callers, { from, count, step }, call) {
    let next = from;
    const caller = async () => {
      while (next < from + count) {
        const first = next;
        next += step;
        await call(first);
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
  }
}
