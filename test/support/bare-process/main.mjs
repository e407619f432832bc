// A process with a scheduler and a worker and nothing else, built code only: what crash tests kill. Its parent tells it what
// to be in argv[2] and hears from it over IPC. It stops on SIGTERM, and at once when its parent is gone.
import { DataSource } from 'typeorm';
import { Scheduler } from '../../../libs/scheduled-jobs/dist/engine/scheduler.js';
import { SYSTEM_CLOCK } from '../../../libs/scheduled-jobs/dist/core/system-clock.js';
import { Worker } from '../../../libs/scheduled-jobs/dist/engine/worker.js';
import { createStores } from '../../../libs/scheduled-jobs/dist/postgres/create-stores.js';
import { answerCommand } from './commands.mjs';
import { installFaults } from './fault-points.mjs';
import { testJobs } from './jobs.mjs';
import { holdLease } from './lease-holder.mjs';
import { shiftClock } from './shifted-clock.mjs';

const options = JSON.parse(process.argv[2] ?? '{}');
const { url, jobs: names, scheduler: ticks, worker: workerOptions, lease, clockOffsetMs = 0, diesAt } = options;
const { faults = [], seed = 1, poolSize = 12, listenUrl = null } = options;
shiftClock(clockOffsetMs);
installFaults(faults, seed);

const tell = (message, whenSent) => {
  if (process.connected) process.send?.(message, whenSent);
};
// Only what tests wait for: a message per attempt would measure the channel.
const TOLD = new Set([
  'lease.lost',
  'loop.blocked',
  'worker.draining',
  'worker.stopped',
  'attempt.abandoned',
  'service.failed',
  'schedule.failed',
]);
const emit = (event) => {
  // Synchronous: nothing of this process runs between the event and its end.
  if (event.type === diesAt && event.inserted !== 0) process.kill(process.pid, 'SIGKILL');
  if (TOLD.has(event.type)) tell({ ...event, error: event.error === undefined ? undefined : String(event.error) });
};

const dataSource = await new DataSource({
  type: 'postgres',
  url,
  poolSize,
  applicationName: `bare-${process.pid}`,
}).initialize();
const stores = createStores(dataSource, { schema: 'scheduled_jobs', emit, listenUrl });
const jobs = testJobs(names, { dataSource, tell });
const definitions = jobs.map(({ definition }) => definition);
await stores.schedules.register(definitions, null);

const scheduler = new Scheduler({ store: stores.schedules, definitions, clock: SYSTEM_CLOCK, emit });
const worker = new Worker(
  {
    store: stores.work,
    queues: stores.queues,
    transactions: stores.transactions,
    wakeUp: stores.wakeUp,
    keeperThread: stores.keeperThread,
    jobs,
    readPayload: (_, payload) => payload,
    clock: SYSTEM_CLOCK,
    emit,
  },
  workerOptions ?? {},
);

process.on('message', (command) => void answerCommand(command, { stores, tell }));
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void stop());
// The channel alone must not keep the process alive: it ends when nothing of the engine is left.
process.channel?.unref();

if (ticks === true) scheduler.start();
if (workerOptions !== undefined) worker.start();
if (lease !== undefined) void holdLease(lease, { stores, dataSource, emit, tell });
tell({ type: 'ready', workerId: worker.id, nowMs: Date.now() });

async function stop() {
  await Promise.all([scheduler.stop(), worker.stop()]);
  await dataSource.destroy();
  process.removeAllListeners('disconnect');
  tell({ type: 'stopped' });
}
