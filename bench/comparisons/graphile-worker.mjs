// graphile-worker at its best: a local queue, completions in batches without a delay.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { serve } from '../sides/side.mjs';

const TASK = 'noop';
const CONCURRENCY = 50;

const preset = {
  worker: {
    concurrentJobs: CONCURRENCY,
    localQueue: { size: 1_000 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    logger: new Logger(() => () => undefined),
  },
};

let pool;
let handle;
let client;
let runner;

async function madeClient() {
  client ??= makeWorkerUtils({ pgPool: pool, preset });
  return client;
}

serve({
  async open({ url, ...options }) {
    handle = options.handle;
    pool = new pg.Pool({ connectionString: url, max: CONCURRENCY + 2 });
    pool.on('error', (error) => console.error(error));
    pool.on('connect', (connected) => connected.on('error', (error) => console.error(error)));
    await (await madeClient()).migrate();
  },
  async startWorker() {
    const taskList = { [TASK]: async (payload) => handle(payload) };
    runner = await run({ pgPool: pool, preset, taskList, noHandleSignals: true });
  },
  async stopWorker() {
    await runner?.stop();
    runner = undefined;
  },
  async enqueueMany(payloads, keyed) {
    const jobs = payloads.map((payload) => ({
      identifier: TASK,
      payload,
      jobKey: keyed ? `k${payload.i}` : undefined,
    }));
    await (await madeClient()).addJobs(jobs);
  },
  async enqueue(payload) {
    await (await madeClient()).addJob(TASK, payload);
  },
  async close() {
    await runner?.stop();
    await (await client)?.release();
    await pool?.end();
  },
});
