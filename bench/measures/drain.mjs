// How fast one worker process is, and what it needs for it.
import { drainOnce } from '../draining.mjs';
import { OURS, PEERS } from '../measure.mjs';
import { ratio } from '../targets.mjs';

/** @type {import('../measure.mjs').Measure} */
export const drain = {
  name: 'drain',
  what: ({ drained }) => `${drained} no-op jobs, run by one worker process; its memory above idle`,
  contestants: [OURS, ...PEERS],
  targets: () => [
    ratio('perSecond', ['ours', 'graphile-worker'], { atLeast: 1.2 }),
    ratio('perSecond', ['ours', 'pg-boss'], { atLeast: 1.7 }),
    ratio('memoryMiB', ['ours', 'graphile-worker'], { atMost: 1 }),
  ],
  seconds: ({ drained }) => 5 + drained / 14_000,
  async run(bench, { side }) {
    const database = await bench.database();
    const figures = await drainOnce(bench, side, database);
    if (side === 'ours') await database.checkStatistics(bench.sizes.drained);
    return figures;
  },
};
