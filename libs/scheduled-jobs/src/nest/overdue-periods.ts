import type { INestApplicationContext } from '@nestjs/common';
import type { Stores } from '../postgres/create-stores.js';
import { JobCatalog } from './jobs/job-catalog.js';
import { JobsClient } from './client/jobs-client.js';
import { STORES } from './tokens.js';

/** Periods of this application's schedules that a tick should have recorded by now. Looks closer only at what is behind. */
export async function overduePeriods(app: INestApplicationContext): Promise<number> {
  const own = new Set(
    app
      .get(JobCatalog)
      .definitions()
      .map(({ name }) => name),
  );
  const { ledger, clock } = app.get<Stores>(STORES);
  const schedules = await ledger.schedules(clock.boundNow());
  const behind = schedules.filter(({ jobName, behindMs }) => behindMs !== null && own.has(jobName));
  let overdue = 0;
  for (const { jobName: job } of behind) {
    overdue += (await app.get(JobsClient).completeness({ job, limit: 1 })).overduePeriods;
  }
  return overdue;
}
