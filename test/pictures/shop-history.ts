import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { JobsTestKit } from 'nestjs-scheduled-jobs/testing';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days ago, in which nothing ticked. */
const OUTAGE = { from: 17.6, to: 15.4 };
const HOURLY_SINCE = 1.7;

/** Lives through the weeks before the present, up to an instant. */
export async function liveThrough(app: INestApplicationContext, present: number, until: number): Promise<void> {
  const kit = app.get(JobsTestKit);
  for (const at of instants(present)) {
    if (at > until || at < kit.clock.now.getTime()) continue;
    kit.clock.set(new Date(at));
    await runToItsEnd(kit);
  }
}

/** With the retries, which wait for their backoff. */
async function runToItsEnd(kit: JobsTestKit): Promise<void> {
  for (let look = 0; look < 3; look += 1) {
    const calls = await kit.runDue({ within: '60s' });
    if (calls.every(({ error }) => error === null)) return;
    kit.clock.advance('6m');
  }
}

function instants(present: number): readonly number[] {
  const found: number[] = [];
  for (let daysAgo = 35; daysAgo > HOURLY_SINCE; daysAgo -= 0.5) {
    if (daysAgo > OUTAGE.from || daysAgo < OUTAGE.to) found.push(present - daysAgo * DAY_MS);
  }
  for (let hoursAgo = HOURLY_SINCE * 24; hoursAgo > 0; hoursAgo -= 1) found.push(present - hoursAgo * HOUR_MS);
  return [...found, present];
}

/** Starts what the history has run soon after its time, and lets it take the time that such work takes. */
export async function retime(database: DataSource, schema: string): Promise<void> {
  const share = `(abs(hashtext(x.key)) % 1000) / 1000.0`;
  const seconds = `case x.job_name
    when 'database-backup' then 520 + 9 * date_part('day', x.scheduled_for - now() + interval '36 days') + 60 * ${share}
    when 'invoices' then 95 + 40 * ${share}
    when 'price-import' then 22 + 11 * ${share}
    when 'stock-sync' then 4 + 6 * ${share}
    else 1.5 + 4 * ${share} end`;
  const startedAt = `x.scheduled_for + (interval '1 second' * (0.2 + 1.4 * ${share}))
    + (array[interval '0', interval '3 minutes', interval '10 minutes'])[a.attempt]`;
  await database.query(
    `update ${schema}.attempts a set started_at = ${startedAt}, finished_at = ${startedAt} + (interval '1 second' * (${seconds}))
     from ${schema}.executions x where x.id = a.execution_id`,
  );
  await database.query(
    `update ${schema}.outcomes o set first_started_at = a.first, started_at = a.last, finished_at = a.ended
     from (select execution_id, min(started_at) as first, max(started_at) as last, max(finished_at) as ended
           from ${schema}.attempts group by 1) a where a.execution_id = o.execution_id`,
  );
  await database.query(`update ${schema}.executions set created_at = scheduled_for + interval '40 milliseconds'`);
}

/** Takes away all that the ledger has of an execution, as no part of the product does. */
export async function lose(database: DataSource, schema: string, key: string): Promise<void> {
  for (const table of ['outcomes', 'attempts', 'keys']) {
    const ofKey = `execution_id in (select id from ${schema}.executions where key = $1)`;
    await database.query(`delete from ${schema}.${table} where ${ofKey}`, [key]);
  }
  await database.query(`delete from ${schema}.executions where key = $1`, [key]);
}
