import { Logger } from '@nestjs/common';
import {
  BackgroundJob,
  JobsClient,
  PermanentError,
  Worker,
  type Alert,
  type AlertsOptions,
} from 'nestjs-scheduled-jobs';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/engine.js';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';
import { alertsOf } from '../support/upkeep-of.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { webhookServer } from '../support/webhook-server.js';

class Jobs {
  @BackgroundJob({ name: 'fails', runbook: 'see the wiki' })
  fails(): never {
    throw new PermanentError('no such project');
  }
}

let database: TestDatabase;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => database.drop());

/** An application that claims and raises alerts when it is told to. */
async function start(alerts: AlertsOptions, worker = {}) {
  const schema = freshSchema();
  const jobs = { schema, scheduler: false, alerts, worker: { pollInterval: '100ms' as const, ...worker } };
  const app = await createApp(jobsModule({ url: database.url, providers: [Jobs], jobs }));
  await app.init();
  closing.push(() => app.close());
  app.get(Worker).start();
  await alertsOf(app).runOnce(); // from now on failures are watched
  const sql = <Row extends object>(text: string): Promise<Row[]> =>
    app.get(DataSource).query(text.replaceAll('$.', `${schema}.`));
  const ended = (job: string, state: string, { id }: { readonly id?: string } = {}) =>
    eventually(async () => {
      const rows = await sql<{ id: string; key: string; payload: unknown; attempts: number }>(
        `select e.id, e.key, e.payload, o.attempts from $.outcomes o join $.executions e on e.id = o.execution_id
         where e.job_name = '${job}' and o.state = '${state}' and e.id = coalesce(${id ?? null}, e.id)`,
      );
      return rows[0];
    });
  /** One execution that failed for good, and what is raised for it. */
  const failOnce = async () => {
    const { execution } = await app.get(JobsClient).enqueue('fails');
    await ended('fails', 'failed', { id: execution!.executionId });
    return alertsOf(app).runOnce();
  };
  return { app, schema, sql, ended, failOnce };
}

async function serve(...answers: Parameters<typeof webhookServer>) {
  const server = await webhookServer(...answers);
  closing.push(() => server.close());
  return server;
}

describe('An application with alerts', () => {
  it('is told of a failure once, with the runbook of the job', async () => {
    const told: Alert[] = [];
    const { app, failOnce } = await start({ onAlert: (alert) => told.push(alert) });
    await failOnce();
    await alertsOf(app).runOnce();
    expect(told).toMatchObject([
      { kind: 'failure', subject: 'fails', runbook: 'see the wiki', detail: { errorMessage: 'no such project' } },
    ]);
  });

  it('posts each alert once; a server error is tried again by the usual rules', async () => {
    const server = await serve([{ status: 500 }, { status: 200 }]);
    const { sql, ended, failOnce } = await start({ webhook: { url: server.url } });
    await failOnce();
    await eventually(async () => (await sql(`select 1 from $.work where retrying`)).length === 1);
    await sql('update $.work set run_at = now()');
    expect(await ended('scheduled-jobs.webhook', 'succeeded')).toMatchObject({ attempts: 2 });
    await failOnce();
    await eventually(() => server.received.length === 3);
    const [first, second, third] = server.received.map(({ body, headers }) => ({
      ...(JSON.parse(body) as { id: string }),
      key: headers['idempotency-key'],
    }));
    expect(first).toEqual(second);
    expect(first!.key).toBe(first!.id);
    expect(third!.id).not.toBe(first!.id);
  });

  it('raises no alert for a webhook that fails', async () => {
    const server = await serve([{ status: 404 }]);
    const told: Alert[] = [];
    const { app, ended, failOnce } = await start({
      webhook: { url: server.url },
      onAlert: (alert) => told.push(alert),
    });
    await failOnce();
    await ended('scheduled-jobs.webhook', 'failed');
    expect(await alertsOf(app).runOnce()).toMatchObject({ raised: 0, failures: [] });
    expect(told).toHaveLength(1);
    expect(server.received).toHaveLength(1);
  });

  it('writes address, credentials and headers of the webhook neither into the ledger nor into the log', async () => {
    const server = await serve([{ status: 500 }, { status: 302, headers: { location: '/elsewhere' } }]);
    const url = `http://ann:pa%2Fss@127.0.0.1:${server.port}/hidden-path?key=hidden-query`;
    const { sql, ended, failOnce, schema } = await start({ webhook: { url, headers: { 'X-Key': 'hidden-header' } } });
    const log: string[] = [];
    const line = (...parts: unknown[]) => log.push(parts.map(String).join(' '));
    Logger.overrideLogger({ log: line, warn: line, error: line, debug: line, verbose: line, fatal: line });
    closing.push(async () => Logger.overrideLogger(false));
    await failOnce();
    await eventually(async () => (await sql(`select 1 from $.work where retrying`)).length === 1);
    await sql('update $.work set run_at = now()');
    expect(await ended('scheduled-jobs.webhook', 'failed')).toMatchObject({ payload: { alertId: expect.any(String) } });
    expect(server.received[0]).toMatchObject({
      path: '/hidden-path?key=hidden-query',
      headers: { 'x-key': 'hidden-header', authorization: `Basic ${btoa('ann:pa/ss')}` },
    });
    const tables = await sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = '${schema}'`,
    );
    const texts = await Promise.all(tables.map(({ name }) => sql(`select t::text from $.${name} t`)));
    const everything = JSON.stringify([texts, log]);
    expect(log.some((text) => text.includes('failed for good'))).toBe(true);
    for (const secret of ['hidden-', 'pa/ss', 'pa%2Fss', btoa('ann:pa/ss'), `:${server.port}`, '/elsewhere']) {
      expect(everything).not.toContain(secret);
    }
  });
});

describe('Instances', () => {
  it('are listed with their version and what they carry', async () => {
    const { app } = await start({});
    const [instance] = await eventually(async () => {
      const all = await app.get(JobsClient).instances();
      return all.length === 1 && all;
    });
    expect(instance).toMatchObject({
      roles: expect.any(Array),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      definitionsDigest: expect.stringMatching(/^[0-9a-f]{16}$/),
      zoneData: process.versions['tz'],
    });
    expect(instance!.seenAt).toEqual(instance!.startedAt);
  });

  it('are known to have stopped as soon as they have', async () => {
    const { app, schema } = await start({});
    const settings = { schema, scheduler: false };
    const other = await createApp(jobsModule({ url: database.url, providers: [Jobs], jobs: settings }));
    await other.init();
    const stops = async () => (await app.get(JobsClient).instances()).map(({ stoppedAt }) => stoppedAt);
    await eventually(async () => (await stops()).length === 2);
    expect(await stops()).toEqual([null, null]);
    await other.close();
    expect(await stops()).toEqual(expect.arrayContaining([expect.any(Date), null]));
  });

  it('do not wait long for a database that has fallen silent when they stop', async () => {
    const proxy = await TcpProxy.to(database.url);
    const jobs = { schema: freshSchema(), scheduler: false, listenUrl: false } as const;
    const app = await createApp(jobsModule({ url: proxy.url, providers: [Jobs], jobs }));
    await app.init();
    await eventually(async () => (await app.get(JobsClient).instances()).length === 1);
    proxy.goSilent();
    const beganMs = performance.now();
    await app.close();
    expect(performance.now() - beganMs).toBeLessThan(5_000);
    await proxy.close();
  });
});
