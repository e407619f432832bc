import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate } from '../../libs/scheduled-jobs/src/postgres/migrate.js';
import { launchPostgres } from '../../scripts/postgres/launch.mjs';
import { BareProcesses } from '../support/bare-process.js';
import { eventually } from '../support/engine.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const RESTARTS = process.env['SOAK'] === '1' ? 20 : 2;

describe('A process whose database is restarted', () => {
  const processes = new BareProcesses();
  const endings: (() => Promise<unknown> | void)[] = [];
  afterEach(async () => {
    await processes.killAll();
    for (const end of endings.splice(0).toReversed()) await end();
  });

  it(
    'waits, connects again, and loses no period',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), `scheduled-jobs-test-${process.pid}-restart-`));
      endings.push(() => rmSync(directory, { recursive: true, force: true }));
      let server = await launchPostgres({ directory });
      endings.push(() => server.stop());
      const proxy = await TcpProxy.to(server.url);
      endings.push(() => proxy.close());
      await prepare(proxy.url);
      const running = await processes.start({
        url: proxy.url,
        jobs: ['second'],
        scheduler: true,
        worker: { pollIntervalMs: 200 },
      });
      for (let restart = 0; restart < RESTARTS; restart++) {
        const before = await succeeded(server.url);
        await eventually(async () => (await succeeded(server.url)) > before, { what: 'a success before the restart' });
        await server.stop();
        server = await launchPostgres({ directory });
        proxy.retarget(server.url);
        const then = await succeeded(server.url);
        await eventually(async () => (await succeeded(server.url)) > then + 1, { what: 'successes after the restart' });
      }
      expect((await running.stop()).code).toBe(0);
      expect(await gaps(server.url)).toEqual([]);
    },
    RESTARTS * 30_000 + 60_000,
  );
});

async function prepare(url: string): Promise<void> {
  const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
  await migrate(dataSource, { schema: 'scheduled_jobs' });
  await dataSource.query(`
    create table if not exists effects (
      id bigint generated always as identity primary key,
      key text not null, attempt int not null, lease_token bigint not null, pid int not null)`);
  await dataSource.destroy();
}

async function rows(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const succeeded = async (url: string): Promise<number> =>
  (await rows(url, `select count(*)::int as n from scheduled_jobs.outcomes where state = 'succeeded'`))[0]![
    'n'
  ] as number;

/** Seconds that have no execution although one before and one after them have. */
const gaps = (url: string) =>
  rows(
    url,
    `select scheduled_for from (
       select scheduled_for, scheduled_for - lag(scheduled_for) over (order by scheduled_for) as step
       from scheduled_jobs.executions where job_name = 'second') x
     where step > interval '1 second'`,
  );
