// How soon a handler starts when there is nothing else to do.
import { percentile } from '../figures.mjs';
import { OURS, PEERS } from '../measure.mjs';
import { ratio } from '../targets.mjs';

/** @type {import('../measure.mjs').Measure} */
export const latency = {
  name: 'latency',
  what: ({ latencySamples }) =>
    `from the call that enqueues to the start of the handler, ${latencySamples} times one after the other on an idle system`,
  contestants: [OURS, ...PEERS],
  targets: () => [
    ratio('p50Ms', ['ours', 'graphile-worker'], { atMost: 1 }),
    ratio('p99Ms', ['ours', 'graphile-worker'], { atMost: 1 }),
  ],
  seconds: ({ latencySamples }) => 4 + latencySamples / 11,
  async run(bench, { side }) {
    const process = await bench.side(side, await bench.database(), { hints: true });
    await process.request('startWorker');
    const { latencyWarmUp, latencySamples } = bench.sizes;
    await process.request('latency', { samples: latencyWarmUp });
    const latencies = await process.request('latency', { samples: latencySamples });
    return { p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
  },
};
