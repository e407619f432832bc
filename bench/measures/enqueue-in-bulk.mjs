// A thousand jobs a call.
import { OURS, PEERS } from '../measure.mjs';
import { ratio } from '../targets.mjs';

const PER_CALL = 1_000;
const CALLERS = 2;
const WARM_UP = PER_CALL * CALLERS;

/** @param {import('../measure.mjs').Contestant} contestant */
const withKeys = ({ name, side }) => ({ name: `${name}, keys`, side, keyed: true });

/** @type {import('../measure.mjs').Measure} */
export const enqueueInBulk = {
  name: 'enqueue-in-bulk',
  what: ({ enqueuedInBulk }) => `${enqueuedInBulk} jobs, ${PER_CALL} a call, by ${CALLERS} callers of one process`,
  contestants: [OURS, ...PEERS, withKeys(OURS), ...PEERS.map(withKeys)],
  targets: () => [
    ratio('perSecond', ['ours', 'graphile-worker', 'pg-boss'], { atLeast: 1.5 }),
    ratio('perSecond', ['ours, keys', 'graphile-worker', 'pg-boss'], { atLeast: 1.2 }),
    ratio('perSecond', ['ours, keys', 'graphile-worker, keys', 'pg-boss, keys'], { atLeast: 1.2 }),
  ],
  seconds: ({ enqueuedInBulk }) => 2 + enqueuedInBulk / 40_000,
  async run(bench, { side, keyed = false }) {
    const count = bench.sizes.enqueuedInBulk;
    const client = await bench.side(side, await bench.database());
    const enqueue = (/** @type {number} */ from, /** @type {number} */ jobs) =>
      client.request('enqueueMany', { from, count: jobs, perCall: PER_CALL, callers: CALLERS, keyed });
    await enqueue(0, WARM_UP);
    return bench.timed(count, () => enqueue(WARM_UP, count), client);
  },
};
