// The shape of a measure.

/**
 * @typedef {Readonly<Record<string, number>>} Figures by the names of `figures.mjs`
 *
 * @typedef {object} Contestant one row of the table
 * @property {string} name
 * @property {import('./side-process.mjs').SideName} side
 * @property {boolean} [keyed] its jobs have keys
 *
 * @typedef {object} Measure
 * @property {string} name
 * @property {(sizes: import('./sizes.mjs').Sizes) => string} what one line for people
 * @property {readonly Contestant[]} contestants
 * @property {(sizes: import('./sizes.mjs').Sizes) => readonly import('./targets.mjs').Target[]} targets
 * @property {(sizes: import('./sizes.mjs').Sizes) => number} seconds what one repetition of one contestant takes, roughly
 * @property {number} [repetitions] at most so many
 * @property {(bench: import('./bench.mjs').Bench) => Promise<any>} [prepare] makes what all repetitions share
 * @property {(bench: import('./bench.mjs').Bench, contestant: Contestant, prepared: any) => Promise<Figures>} run
 */

/** @type {Contestant} */
export const OURS = { name: 'ours', side: 'ours' };

/** @type {readonly Contestant[]} */
export const PEERS = [
  { name: 'graphile-worker', side: 'graphile-worker' },
  { name: 'pg-boss', side: 'pg-boss' },
];
