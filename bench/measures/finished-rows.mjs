// Whether a long history slows the present down.
import { drainOnce } from '../draining.mjs';
import { OURS } from '../measure.mjs';
import { ratio } from '../targets.mjs';

/** @type {import('../measure.mjs').Contestant} */
const BESIDE_HISTORY = { name: 'beside finished rows', side: 'ours' };

/** @type {import('../measure.mjs').Measure} */
export const finishedRows = {
  name: 'finished-rows',
  what: ({ drained, finishedRows: rows }) =>
    `${drained} no-op jobs run by one worker process, on empty tables and beside ${rows} finished executions`,
  contestants: [OURS, BESIDE_HISTORY],
  targets: () => [ratio('perSecond', [BESIDE_HISTORY.name, 'ours'], { atLeast: 0.9 })],
  seconds: ({ drained, finishedRows: rows }) => 5 + drained / 14_000 + rows / 100_000,
  async prepare(bench) {
    const database = await bench.database();
    const ledger = await bench.ledger(database);
    await database.addFinished(bench.sizes.finishedRows);
    await ledger.close();
    await database.settle();
    return database;
  },
  // The history grows by what is drained beside it.
  run: async (bench, contestant, history) =>
    drainOnce(bench, 'ours', contestant === BESIDE_HISTORY ? history : await bench.database()),
};
