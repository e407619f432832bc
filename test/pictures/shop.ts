import type { INestApplication } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { expect, vi } from 'vitest';
import { JobsClient, Worker, type ScheduledJobsOptions } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { JobsTestModule } from 'nestjs-scheduled-jobs/testing';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';
import { liveThrough, lose, retime } from './shop-history.js';
import { ShopJobs } from './shop-jobs.js';

const PRESENT = Date.now();
const DAY_MS = 86_400_000;
const schema = freshSchema();

/** Since the second week the invoices run later. */
const LATER = { invoices: { cron: '0 3 * * *' } };

/** A shop that has lived for five weeks and goes on. */
export async function openShop(url: string): Promise<INestApplication> {
  await past(url, {}, PRESENT - 12 * DAY_MS);
  await past(url, LATER, PRESENT);
  const app = await present(url);
  await makeOdd(app);
  await askFor(app);
  return app;
}

/** The weeks up to an instant, by a clock of its own. */
async function past(url: string, jobs: NonNullable<ScheduledJobsOptions['jobs']>, until: number): Promise<void> {
  const imports = [JobsTestModule.at(new Date(PRESENT - 36 * DAY_MS))];
  const settings = { schema, worker: { concurrency: 1 }, jobs };
  const app = await createApp(jobsModule({ url, providers: [ShopJobs], imports, jobs: settings }));
  await app.init();
  await liveThrough(app, PRESENT, until);
  await app.close();
}

/** A live application over the same ledger. */
async function present(url: string): Promise<INestApplication> {
  const imports = [JobsHttpModule.forRoot({ access: 'host', actorOf: () => 'anna' })];
  const queues = { mails: { rate: '50/s' }, exports: { concurrency: 4 } } as const;
  const settings = { schema, queues, jobs: LATER };
  const app = await createApp(jobsModule({ url, providers: [ShopJobs], imports, jobs: settings }));
  await app.listen(0, '127.0.0.1');
  return app;
}

/** A period that is missing, and a job that somebody has paused. */
async function makeOdd(app: INestApplication): Promise<void> {
  await retime(app.get(DataSource), schema);
  const { items: backups } = await app.get(JobsClient).find({ job: 'database-backup', limit: 7 });
  await lose(app.get(DataSource), schema, backups[6]?.key ?? '');
  const actor = { actor: 'bert', reason: 'the provider migrates until Thursday' };
  await app.get(JobsClient).pause('newsletter', actor);
}

/** What users ask for just now; one of it goes on. */
async function askFor(app: INestApplication): Promise<void> {
  const jobs = app.get(JobsClient);
  for (const project of ['hermes', 'zeus', 'athena', 'apollo']) {
    await jobs.enqueue('export-pdf', { project }, { key: `${project}:12` });
  }
  for (let number = 1; number <= 24; number += 1) {
    const host = number % 6 === 0 ? 'example.net' : 'example.org';
    await jobs.enqueue('mail', { to: `customer-${number}@${host}` }, { key: `order-${10_400 + number}` });
  }
  app.get(Worker).start();
  const open = ['pending', 'running', 'retrying'] as const;
  await vi.waitFor(async () => expect((await jobs.find({ states: [...open] })).items).toHaveLength(1), {
    timeout: 60_000,
    interval: 500,
  });
}
