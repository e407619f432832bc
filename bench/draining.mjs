// One worker process takes what lies ready, from its start until the last end is recorded.
import { setTimeout as delay } from 'node:timers/promises';

const PER_CALL = 1_000;
const CALLERS = 2;
const MIB = 2 ** 20;

/**
 * A worker process that has run without anything to do, what its memory was then, and that has been stopped.
 * @param {import('./bench.mjs').Bench} bench
 * @param {import('./side-process.mjs').SideName} name
 * @param {import('./database.mjs').BenchDatabase} database
 */
async function idleWorker(bench, name, database) {
  const worker = await bench.side(name, database);
  await worker.request('startWorker');
  await delay(bench.sizes.restSeconds * 1_000);
  const { rssBytes: idleBytes } = await worker.usage();
  await worker.request('stopWorker');
  return { worker, idleBytes };
}

/**
 * @param {import('./bench.mjs').Bench} bench
 * @param {import('./side-process.mjs').SideName} name
 * @param {import('./database.mjs').BenchDatabase} database
 * @returns {Promise<import('./measure.mjs').Figures>}
 */
export async function drainOnce(bench, name, database) {
  const count = bench.sizes.drained;
  const { worker, idleBytes } = await idleWorker(bench, name, database);
  const client = await bench.side(name, database);
  await client.request('enqueueMany', { from: 0, count, perCall: PER_CALL, callers: CALLERS, keyed: false });
  await client.close();
  await database.settle();
  const figures = await bench.timed(
    count,
    async () => {
      await worker.request('drain', { count });
      await database.finished(name);
    },
    worker,
  );
  const { peakBytes } = await worker.usage();
  await worker.request('stopWorker');
  return { ...figures, memoryMiB: (peakBytes - idleBytes) / MIB };
}
