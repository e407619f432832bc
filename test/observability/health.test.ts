import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Controller, Get, type DynamicModule, type INestApplication, type Type } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, runTick, ScheduledJob, type ScheduledJobsOptions } from 'nestjs-scheduled-jobs';
import { JobsHealth, JobsMetrics, JobsObservabilityModule, ProbeServer } from 'nestjs-scheduled-jobs/observability';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';
import { TcpProxy } from '../support/tcp-proxy.js';

class Mill {
  @BackgroundJob({ name: 'grind', queue: 'mill' })
  async grind(): Promise<void> {}

  @ScheduledJob('0 0 1 1 *', { name: 'yearly' })
  async yearly(): Promise<void> {}
}

@Controller('terminus')
class TerminusController {
  constructor(
    private readonly terminus: HealthCheckService,
    private readonly jobs: JobsHealth,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.terminus.check([() => this.jobs.indicate()]);
  }
}

const HOUR_AGO = new Date(Date.now() - 3_600_000);

let database: TestDatabase;
let app: INestApplication | undefined;

beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  await app?.close();
  app = undefined;
});
afterAll(() => database.drop());

interface Parts {
  readonly adapter?: 'express' | 'fastify';
  readonly observability?: DynamicModule;
  readonly jobs?: ScheduledJobsOptions;
  readonly imports?: readonly (DynamicModule | Type)[];
}

async function start({ adapter = 'express', jobs = {}, imports = [], ...parts }: Parts = {}) {
  const { observability = JobsObservabilityModule.forRoot({ routes: true }) } = parts;
  app = await createApp(
    jobsModule({
      url: database.url,
      providers: [Mill],
      controllers: imports.length === 0 ? [] : [TerminusController],
      imports: [observability, ...imports],
      jobs,
    }),
    adapter,
  );
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

/** A backlog an hour old that nobody works on. */
const withBacklog = async (app: INestApplication): Promise<void> => {
  await app.get(JobsClient).enqueue('grind', null, { runAt: HOUR_AGO });
};

describe.each(['express', 'fastify'] as const)('the probes on %s', (adapter) => {
  it('answer 200 while all is well, to anybody, and are not cached', async () => {
    const { url } = await start({ adapter });
    for (const probe of ['live', 'startup', 'ready']) {
      const { body, headers } = await request(url).get(`/health/${probe}`).expect(200);
      expect(body).toEqual({ status: 'up', reasons: [] });
      expect(headers['cache-control']).toBe('no-store');
    }
    await request(url).get('/health/else').expect(404);
  });

  it('say 503 of readiness when the database is away, and go on to live', async () => {
    const { app, url } = await start({ adapter, jobs: { scheduler: false, worker: false } });
    await app.get(DataSource).destroy();
    const { body } = await request(url).get('/health/ready').expect(503);
    expect(body).toEqual({ status: 'down', reasons: ['database'] });
    await request(url).get('/health/live').expect(200);
    await request(url).get('/health/startup').expect(200);
    await app.get(DataSource).initialize();
  });
});

describe('readiness', () => {
  it('is degraded, not down, by a backlog that nobody works on, and names no queue to strangers', async () => {
    const { app, url } = await start({ jobs: { scheduler: false, worker: false } });
    await withBacklog(app);
    const { body, text } = await request(url).get('/health/ready').expect(200);
    expect(body).toEqual({ status: 'degraded', reasons: ['backlog', 'no-worker'] });
    expect(text).not.toContain('mill');
    const { reasons } = await app.get(JobsHealth).ready();
    expect(reasons.map((reason) => reason.text)).toContain('The queue "mill" waits longer than 15m.');
  });

  it('has the level degraded by the limits that the options set', async () => {
    const observability = JobsObservabilityModule.forRoot({ health: { backlogAge: '2h' } });
    const { app } = await start({ observability, jobs: { scheduler: false, worker: false } });
    await withBacklog(app);
    const { status, reasons } = await app.get(JobsHealth).ready();
    expect(status).toBe('degraded');
    expect(reasons.map(({ kind }) => kind)).toEqual(['no-worker']);
  });

  it('is down before the application is up, and from the moment that it stops', async () => {
    app = await createApp(
      jobsModule({ url: database.url, providers: [Mill], imports: [JobsObservabilityModule.forRoot()] }),
    );
    const health = app.get(JobsHealth);
    expect(health.started()).toMatchObject({ status: 'down', reasons: [{ kind: 'starting' }] });
    expect(await health.ready()).toMatchObject({ status: 'down', reasons: [{ kind: 'starting' }] });
    await app.init();
    expect(health.started().status).toBe('up');
    expect((await health.ready()).status).toBe('up');
    await app.close();
    app = undefined;
    expect(await health.ready()).toMatchObject({ status: 'down', reasons: [{ kind: 'stopping' }] });
    expect(health.live().status).toBe('up');
  });

  it('says of a schema that does not fit what to do', async () => {
    const jobs = { schema: 'jobs_lost', scheduler: false, worker: false };
    const { app } = await start({ jobs });
    await app.get(DataSource).query('drop schema jobs_lost cascade');
    const { status, reasons } = await app.get(JobsHealth).ready();
    expect(status).toBe('down');
    expect(reasons[0]?.text).toContain('Run migrate(');
  });
});

it('A silent database holds up neither a probe nor a scrape for longer than some seconds', async () => {
  const proxy = await TcpProxy.to(database.url);
  app = await createApp(
    jobsModule({
      url: proxy.url,
      providers: [Mill],
      imports: [JobsObservabilityModule.forRoot({ metrics: true })],
      jobs: { scheduler: false, worker: false, listenUrl: false },
    }),
  );
  await app.init();
  proxy.goSilent();
  const beganMs = performance.now();
  const [ready, again, text] = await Promise.all([
    app.get(JobsHealth).ready(),
    app.get(JobsHealth).ready(),
    app.get(JobsMetrics).text(),
  ]);
  expect(performance.now() - beganMs).toBeLessThan(5_000);
  expect(ready).toMatchObject({ status: 'down', reasons: [{ text: 'The database did not answer within 1s.' }] });
  expect(again).toEqual(ready);
  expect(text).toMatch(/^scheduled_jobs_ledger_up 0$/m);
  expect(text).toMatch(/^scheduled_jobs_rescued_total 0$/m);
  await proxy.close();
});

describe('liveness', () => {
  it('does not depend on a backlog', async () => {
    const { app, url } = await start({ jobs: { scheduler: false, worker: false } });
    await withBacklog(app);
    const { body } = await request(url).get('/health/live').expect(200);
    expect(body).toEqual({ status: 'up', reasons: [] });
  });
});

describe('the indicator of terminus', () => {
  it('is up with its level while degraded, and down with the reason when it cannot work', async () => {
    const { app, url } = await start({
      jobs: { scheduler: false, worker: false },
      imports: [TerminusModule.forRoot({ logger: false })],
    });
    await withBacklog(app);
    const degraded = await request(url).get('/terminus').expect(200);
    expect(degraded.body.info['scheduled-jobs']).toMatchObject({ status: 'up', level: 'degraded' });
    await app.get(DataSource).destroy();
    const down = await request(url).get('/terminus').expect(503);
    expect(down.body.error['scheduled-jobs']).toMatchObject({ status: 'down', level: 'down' });
    expect(down.text).not.toContain('postgres://');
    await app.get(DataSource).initialize();
  });
});

describe('the listener', () => {
  const listener = (metrics: boolean): DynamicModule =>
    JobsObservabilityModule.forRoot({ metrics: true, listen: { port: 0, metrics } });

  it('serves the probes on a port of its own, and metrics only if asked for', async () => {
    const closed = await start({ observability: listener(false) });
    const at = (server: INestApplication): string => `http://127.0.0.1:${server.get(ProbeServer).port}`;
    for (const probe of ['live', 'startup', 'ready']) {
      const { body } = await request(at(closed.app)).get(`/health/${probe}?verbose=1`).expect(200);
      expect(body).toEqual({ status: 'up', reasons: [] });
    }
    await request(at(closed.app)).get('/metrics').expect(404);
    await request(at(closed.app)).get('/health/live/x').expect(404);
    await request(at(closed.app)).post('/health/live').send({ a: 1 }).expect(405);
    await closed.app.close();
    const open = await start({ observability: listener(true) });
    const { text, headers } = await request(at(open.app)).get('/metrics').expect(200);
    expect(text).toContain('scheduled_jobs_ledger_up 1');
    expect(headers['content-type']).toMatch(/^text\/plain/);
  });

  it('does not listen in a process that makes one pass', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const imports = [JobsObservabilityModule.forRoot({ listen: { port } })];
    const root = jobsModule({ url: database.url, providers: [Mill], imports });
    await expect(runTick(root, { logger: false })).resolves.toMatchObject({ failures: [] });
    await new Promise((closed) => taken.close(closed));
  });

  it('leaves no port open when the application has closed', async () => {
    const { app: closing } = await start({ observability: listener(false) });
    const server = closing.get(ProbeServer);
    const url = `http://127.0.0.1:${server.port}`;
    await request(url).get('/health/live').expect(200);
    await closing.close();
    app = undefined;
    expect(server.port).toBeNull();
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });
});
