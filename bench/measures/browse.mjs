// How long people wait for what they look at, on one connection, while a worker drains a queue.
import { PeriodView } from '../../libs/scheduled-jobs/dist/http/views/period-view.js';
import { percentile } from '../figures.mjs';
import { addHistory, MAIL, REPORT } from '../history.mjs';
import { OURS } from '../measure.mjs';
import { limit } from '../targets.mjs';

const DAY_MS = 86_400_000;
const PER_CALL = 1_000;
const CALLERS = 2;
const SCHEDULES_OF_A_GRID = 40;
const PERIODS_OF_A_SCHEDULE = 50;
const PERIODS_OF_A_JOB = 1_000;

/** @param {number} days */
const lastDays = (days) => ({ from: new Date(Date.now() - days * DAY_MS), to: new Date() });

/**
 * What is looked at, by the figure that it gives.
 * @param {import('../ledger.mjs').BenchLedger['stores']} stores
 * @returns {Readonly<Record<string, () => Promise<unknown>>>}
 */
function reads(stores) {
  const catalog = /** @type {any} */ ({ entries: () => new Map() });
  const periods = new PeriodView(stores, catalog);
  /** @param {Partial<import('../../libs/scheduled-jobs/dist/core/ports/period-reader.js').StandingRequest>} request */
  const standings = (request) =>
    stores.schedulePeriods.standings({
      names: null,
      afterName: null,
      limit: SCHEDULES_OF_A_GRID,
      now: null,
      ...lastDays(7),
      ...request,
    });
  return {
    listMs: () => stores.ledger.find({}, null),
    searchMs: () => stores.ledger.find({ queue: 'of-nobody' }, null, lastDays(7).from),
    deadLettersMs: () => stores.ledger.deadLetters({ job: REPORT }, null),
    groupsMs: () => stores.deadLetters.groups({}),
    overviewMs: async () => {
      await stores.overview.facts(null);
      await stores.jobs.list(null, null);
      await stores.queues.list([], null);
    },
    statisticsMs: () => stores.statistics.ofJob({ jobName: MAIL, ...lastDays(7) }),
    periodsMs: async () => {
      const [standing] = await standings({ names: [REPORT], ...lastDays(90) });
      if (standing !== undefined) await periods.first(standing, lastDays(90), PERIODS_OF_A_JOB);
    },
    gridMs: async () => periods.last(await standings({}), lastDays(7), PERIODS_OF_A_SCHEDULE),
  };
}

const FIGURES = [
  'listMs',
  'searchMs',
  'deadLettersMs',
  'groupsMs',
  'overviewMs',
  'statisticsMs',
  'periodsMs',
  'gridMs',
];

/** @type {import('../measure.mjs').Measure} */
export const browse = {
  name: 'browse',
  what: ({ finishedRows: rows, drained }) =>
    `lists, statistics and grids of ${rows} executions, on one connection, while a worker drains ${drained} more`,
  contestants: [OURS],
  targets: ({ readMs }) => FIGURES.map((figure) => limit('ours', figure, { atMost: readMs })),
  seconds: ({ finishedRows: rows, drained, reads: count }) => 5 + drained / 10_000 + rows / 50_000 + count,
  repetitions: 2,
  async prepare(bench) {
    const database = await bench.database();
    const ledger = await bench.ledger(database);
    await addHistory(database, ledger, bench.sizes.finishedRows);
    await database.settle();
    return { database, stores: ledger.stores };
  },
  async run(bench, _contestant, { database, stores }) {
    const count = bench.sizes.drained;
    const worker = await bench.side('ours', database);
    await worker.request('enqueueMany', { from: 0, count, perCall: PER_CALL, callers: CALLERS, keyed: false });
    const drained = worker.request('drain', { count });
    /** @type {Record<string, number[]>} */
    const taken = {};
    for (let turn = 0; turn < bench.sizes.reads; turn++) {
      for (const [figure, read] of Object.entries(reads(stores))) {
        const startMs = performance.now();
        await read();
        (taken[figure] ??= []).push(performance.now() - startMs);
      }
    }
    await drained;
    await worker.request('stopWorker');
    return Object.fromEntries(Object.entries(taken).map(([figure, ms]) => [figure, percentile(ms, 0.95)]));
  },
};
