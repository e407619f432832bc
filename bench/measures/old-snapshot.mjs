// Claims beside a transaction that is as old as all of the work: nothing that ends can be cleaned away.
import { percentile } from '../figures.mjs';
import { OURS } from '../measure.mjs';

const WORKER = 'bench';
/** How many claims of the beginning and of the end are compared. */
const SHARE = 0.05;

/**
 * One execution from its enqueue to its end.
 * @param {import('../ledger.mjs').BenchLedger['stores']} stores
 * @returns {Promise<number>} milliseconds that its claim took
 */
async function cycle({ executions, work }) {
  await executions.insert([EXECUTION], { tx: null, now: null });
  const quotas = [{ queue: EXECUTION.queue, take: 1, start: 1 }];
  const startMs = performance.now();
  const [claimed] = await work.claim({ workerId: WORKER, quotas, jobNames: [EXECUTION.jobName], now: null });
  const claimMs = performance.now() - startMs;
  if (claimed === undefined) throw new Error('There was nothing to claim.');
  const { executionId, leaseToken, claimedAt } = claimed;
  const record = { ...SUCCEEDED, executionId, leaseToken, startedAt: claimedAt, finishedAt: claimedAt };
  await work.finish([record], { workerId: WORKER, now: null });
  return claimMs;
}

/** @type {import('../../libs/scheduled-jobs/dist/core/execution/new-execution.js').NewExecution} */
const EXECUTION = {
  jobName: 'noop',
  key: null,
  period: null,
  interval: null,
  scheduledFor: null,
  runAt: null,
  queue: 'default',
  priority: 0,
  payload: null,
  concurrencyKey: null,
  maxAttempts: 4,
  leaseMs: 30_000,
  deadlineMs: 86_400_000,
  trigger: 'enqueue',
  actor: null,
  traceParent: null,
  skip: null,
};

const SUCCEEDED = {
  disposition: /** @type {const} */ ('succeeded'),
  outcome: /** @type {const} */ ('succeeded'),
  runAt: null,
  reason: null,
  result: null,
  resultNote: null,
  counts: { processed: 0, failed: 0, skipped: 0 },
  error: null,
};

/** @type {import('../measure.mjs').Measure} */
export const oldSnapshot = {
  name: 'old-snapshot',
  what: ({ cycles }) => `${cycles} executions, one after the other, while a transaction keeps its snapshot: claims`,
  contestants: [OURS],
  targets: () => [{ what: 'last p95 ÷ first p95', bound: { atMost: 3 }, value: growth }],
  seconds: ({ cycles }) => 2 + cycles / 200,
  repetitions: 2,
  async run(bench) {
    const { cycles } = bench.sizes;
    const database = await bench.database();
    const { stores } = await bench.ledger(database);
    const share = Math.ceil(cycles * SHARE);
    for (let warmUp = 0; warmUp < share; warmUp++) await cycle(stores);
    await database.settle();
    const snapshot = await database.holdSnapshot();
    const claimsMs = [];
    for (let done = 0; done < cycles; done++) claimsMs.push(await cycle(stores));
    await snapshot.release();
    return {
      firstP95Ms: percentile(claimsMs.slice(0, share), 0.95),
      lastP95Ms: percentile(claimsMs.slice(-share), 0.95),
    };
  },
};

/** @param {(contestant: string) => import('../measure.mjs').Figures} figuresOf */
function growth(figuresOf) {
  const { firstP95Ms = Number.NaN, lastP95Ms = Number.NaN } = figuresOf('ours');
  return lastP95Ms / firstP95Ms;
}
