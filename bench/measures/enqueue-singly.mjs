// One job a call, each a transaction of its own.
import { OURS, PEERS } from '../measure.mjs';
import { ratio } from '../targets.mjs';

const CALLERS = 10;
const WARM_UP = 200;

/** @type {import('../measure.mjs').Measure} */
export const enqueueSingly = {
  name: 'enqueue-singly',
  what: ({ enqueuedSingly }) => `${enqueuedSingly} jobs, one a call, by ${CALLERS} callers of one process`,
  contestants: [OURS, ...PEERS],
  targets: () => [ratio('perSecond', ['ours', 'graphile-worker', 'pg-boss'], { atLeast: 3 })],
  seconds: ({ enqueuedSingly }) => 2 + enqueuedSingly / 2_000,
  async run(bench, { side }) {
    const count = bench.sizes.enqueuedSingly;
    const client = await bench.side(side, await bench.database());
    await client.request('enqueueEach', { count: WARM_UP, callers: CALLERS });
    return bench.timed(count, () => client.request('enqueueEach', { count, callers: CALLERS }), client);
  },
};
