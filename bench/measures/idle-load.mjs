// What a worker process asks of the database when there is nothing to do.
import { setTimeout as delay } from 'node:timers/promises';
import { OURS, PEERS } from '../measure.mjs';
import { limit } from '../targets.mjs';

/** @type {import('../measure.mjs').Measure} */
export const idleLoad = {
  name: 'idle-load',
  what: ({ idleSeconds }) => `transactions and connections of an idle worker process in ${idleSeconds} s`,
  contestants: [OURS, ...PEERS],
  targets: () => [limit('ours', 'transactionsPerSecond', { atMost: 0.6 }), limit('ours', 'connections', { atMost: 3 })],
  seconds: ({ settleSeconds, idleSeconds }) => 3 + settleSeconds + idleSeconds,
  repetitions: 2,
  async run(bench, { side }) {
    const { settleSeconds, idleSeconds } = bench.sizes;
    const database = await bench.database();
    const worker = await bench.side(side, database, { hints: true });
    await worker.request('startWorker');
    await delay(settleSeconds * 1_000);
    const before = await database.traffic();
    const startMs = performance.now();
    await delay(idleSeconds * 1_000);
    const after = await database.traffic();
    const seconds = (performance.now() - startMs) / 1_000;
    return {
      transactionsPerSecond: (after.transactions - before.transactions) / seconds,
      connections: Math.max(before.connections, after.connections),
    };
  },
};
