// How much each measure does.

/** @typedef {typeof FULL} Sizes */

export const FULL = {
  drained: 100_000,
  enqueuedInBulk: 100_000,
  enqueuedSingly: 10_000,
  latencySamples: 200,
  latencyWarmUp: 20,
  /** What a worker needs to come to rest after its start. */
  restSeconds: 1,
  idleSeconds: 60,
  /** Before the idle load is looked at: the server tells what a session did within ten seconds. */
  settleSeconds: 12,
  finishedRows: 1_000_000,
  reads: 40,
  /** What each of these may take, p95. */
  readMs: 300,
  cycles: 20_000,
  dueSchedules: 10_000,
  missedEach: 10_000,
};

/** @type {Sizes} */
export const LONG = { ...FULL, finishedRows: 10_000_000, readMs: 1_000 };

/** To see that everything works: the figures mean nothing. @type {Sizes} */
export const SMALL = {
  drained: 1_000,
  enqueuedInBulk: 4_000,
  enqueuedSingly: 200,
  latencySamples: 10,
  latencyWarmUp: 2,
  restSeconds: 0.2,
  idleSeconds: 1,
  settleSeconds: 0,
  finishedRows: 5_000,
  reads: 2,
  readMs: 300,
  cycles: 100,
  dueSchedules: 100,
  missedEach: 100,
};
