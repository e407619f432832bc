// Our side, through what users call: a Nest application context with JobsClient and Worker.
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BackgroundJob, JobsClient, runWorker, ScheduledJobsModule, Worker } from 'nestjs-scheduled-jobs';
import { serve } from './side.mjs';

const JOB = 'noop';
const CONCURRENCY = 50;
/** Mistakes are thrown; the console is the parent's. */
const LOGGER = { logger: /** @type {const} */ (false) };

let url = '';
/** @type {(payload: import('./side.mjs').Payload) => void} */
let handle = () => undefined;
/** @type {Promise<import('@nestjs/common').INestApplicationContext> | null} */
let app = null;

class BenchJobs {
  /** @param {import('nestjs-scheduled-jobs').JobRun<import('./side.mjs').Payload>} run */
  async noop(run) {
    handle(run.payload);
  }
}
const method = Object.getOwnPropertyDescriptor(BenchJobs.prototype, JOB) ?? {};
BackgroundJob({ name: JOB })(BenchJobs.prototype, JOB, method);

/** @returns {import('@nestjs/common').DynamicModule} */
function benchModule() {
  return {
    module: BenchJobs,
    imports: [
      TypeOrmModule.forRoot({ type: 'postgres', url, poolSize: CONCURRENCY + 2, retryAttempts: 0 }),
      ScheduledJobsModule.forRoot({ migrations: 'run', scheduler: false, worker: { concurrency: CONCURRENCY } }),
    ],
    providers: [BenchJobs],
  };
}

async function client() {
  app ??= NestFactory.createApplicationContext(benchModule(), LOGGER);
  return (await app).get(JobsClient);
}

serve({
  async open(options) {
    ({ url, handle } = options);
  },
  async startWorker() {
    if (app === null) await (app = runWorker(benchModule(), LOGGER));
    else (await app).get(Worker).start();
  },
  async stopWorker() {
    await (await app)?.get(Worker).stop();
  },
  async enqueueMany(payloads, keyed) {
    const items = payloads.map((payload) => (keyed ? { payload, key: `k${payload.i}` } : { payload }));
    await (await client()).enqueueMany(JOB, items);
  },
  async enqueue(payload) {
    await (await client()).enqueue(JOB, payload);
  },
  async close() {
    await (await app)?.close();
  },
});
