import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, ScheduledJob, Scheduler, Worker } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

const XSS = '<img src=x onerror=alert(1)>';

class Shop {
  @BackgroundJob({ name: 'mail', queue: 'mails', runbook: 'https://runbooks.example.org/mail' })
  mail(): void {}

  @BackgroundJob({ name: 'broken', queue: 'broken', retry: { maxAttempts: 1 } })
  broken(): void {
    throw new RangeError(XSS);
  }

  @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'Europe/Berlin', overlap: 'skip' })
  daily(): void {}
}

const READS = [
  '/overview',
  '/periods',
  '/jobs/daily/periods',
  '/jobs/daily/statistics',
  '/jobs',
  '/jobs/mail',
  '/queues',
  '/instances',
  '/dead-letters',
  '/dead-letters/groups',
  '/audit',
  '/alerts',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe.each(['express', 'fastify'] as const)('reads on %s, below a prefix and with versions', (adapter) => {
  let app: INestApplication;
  const get = (path: string) => request(app.getHttpServer()).get(`/v2/ops/jobs/api${path}`);

  beforeAll(async () => {
    const root = jobsModule({
      url: database.url,
      providers: [Shop],
      imports: [JobsHttpModule.forRoot({ access: 'host', path: 'ops/jobs' })],
      jobs: { scheduler: false, worker: { queues: ['broken'], pollInterval: '100ms' } },
    });
    app = await createApp(root, adapter);
    app.setGlobalPrefix('v2');
    app.enableVersioning();
    await app.init();
    if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
    await app.get(Scheduler).runOnce();
    const jobs = app.get(JobsClient);
    const ended = nextEvent(app, 'execution.ended');
    app.get(Worker).start();
    await jobs.enqueue('broken', { note: XSS }, { key: XSS });
    await ended;
    await jobs.enqueue('mail', null, { key: 'one' });
    await jobs.pause('mail', { actor: 'anna', reason: 'the relay moves' });
    await jobs.pauseQueue('mails', { actor: 'bert', reason: 'too loud' });
  });
  afterAll(() => app.close());

  it.each(READS)('answers %s as data that no browser takes for a page', async (path) => {
    const response = await get(path);
    expect(response.status, response.text).toBe(200);
    expect(response.type).toBe('application/json');
    expect(response.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });

  it('lists jobs with pause, last execution, runbook and dead letters', async () => {
    const { body } = await get('/jobs');
    expect(body).toMatchObject({ hasMore: false, deadLettersCapped: false });
    const [broken, daily, mail] = body.items;
    expect(broken).toMatchObject({ jobName: 'broken', scheduled: false, handled: true, paused: null, deadLetters: 1 });
    expect(broken.last).toMatchObject({ key: `broken:${XSS}`, state: 'failed', attempts: 1, errorClass: 'RangeError' });
    expect(daily).toMatchObject({ scheduled: true, overlap: 'skip', queue: 'default', last: null, deadLetters: 0 });
    expect(mail).toMatchObject({
      queue: 'mails',
      runbook: 'https://runbooks.example.org/mail',
      last: { state: 'pending' },
    });
    expect(mail.paused).toMatchObject({ since: expect.any(String), actor: 'anna', reason: 'the relay moves' });
  });

  it('shows one job with its options, and says when there is none', async () => {
    const { body } = await get('/jobs/daily');
    expect(body).toMatchObject({ jobName: 'daily', concurrency: 1, leaseMs: 30_000, startWithinMs: 900_000 });
    expect(body.options).toMatchObject({ place: 'Shop.daily', retry: { maxAttempts: 4 }, timeoutMs: 3_600_000 });
    expect(body.options.schedule).toMatchObject({ expression: '0 6 * * *', timeZone: 'Europe/Berlin' });
    expect((await get('/jobs/nothing')).body).toMatchObject({ status: 404, code: 'JOBS_UNKNOWN_JOB' });
  });

  it('lists queues and processes', async () => {
    const queues = (await get('/queues')).body.items as { name: string }[];
    expect(queues.map(({ name }) => name)).toEqual(expect.arrayContaining(['broken', 'default', 'mails']));
    expect(queues.find(({ name }) => name === 'mails')).toMatchObject({ pause: { actor: 'bert' }, breaker: null });
    expect((await get('/instances')).body.items).toMatchObject([
      { roles: expect.any(Array), seenAt: expect.any(String) },
    ]);
  });

  it('lists dead letters by the filters of executions, and groups them by kind of error', async () => {
    expect((await get('/dead-letters?job=broken')).body.items).toMatchObject([{ state: 'failed' }]);
    expect((await get('/dead-letters?job=mail')).body.items).toEqual([]);
    const { body } = await get('/dead-letters/groups');
    expect(body.capped).toBe(false);
    expect(body.items).toMatchObject([
      { errorClass: 'RangeError', message: XSS, count: 1, jobs: ['broken'], exampleKey: `broken:${XSS}` },
    ]);
    const { fingerprint, firstAt, lastAt } = body.items[0];
    expect(firstAt).toBe(lastAt);
    expect((await get(`/dead-letters?fingerprint=${fingerprint}`)).body.items).toHaveLength(1);
    expect((await get('/dead-letters/groups?job=mail')).body.items).toEqual([]);
  });

  it('lists what people did by subject, action and actor, page by page', async () => {
    const { body } = await get('/audit?limit=1');
    expect(body.items).toMatchObject([{ action: 'pause-queue', subject: 'mails', actor: 'bert', reason: 'too loud' }]);
    const next = await get(`/audit?limit=1&cursor=${body.nextCursor}`);
    expect(next.body.items).toMatchObject([{ action: 'pause', subject: 'mail', jobName: 'mail', actor: 'anna' }]);
    expect((await get('/audit?subject=mail')).body.items).toHaveLength(1);
    expect((await get('/audit?actor=anna&action=pause&job=mail')).body.items).toHaveLength(1);
    expect((await get('/audit?subject=nothing')).body.items).toEqual([]);
  });

  it('names the window of a list that no index serves: by default the last seven days', async () => {
    const { body } = await get('/executions?queue=mails');
    expect(body).toMatchObject({ items: [{ key: 'mail:one' }], nextCursor: null, window: { to: null } });
    const sinceDays = (Date.now() - Date.parse(body.window.from)) / 86_400_000;
    expect(sinceDays).toBeCloseTo(7, 2);
    const from = '2026-01-01T00:00:00.000Z';
    expect((await get(`/executions?queue=mails&from=${from}`)).body.window).toEqual({ from, to: null });
    for (const query of ['', '?job=mail', '?state=failed', '?state=pending&queue=mails'])
      expect((await get(`/executions${query}`)).body.window, query).toBeNull();
  });

  it('lists alerts', async () => {
    expect((await get('/alerts?open=true&kind=backlog-age')).body).toEqual({ items: [], nextCursor: null });
  });

  it('says on one page how all stands, and what needs attention', async () => {
    const { body } = await get('/overview');
    expect(body).toMatchObject({
      now: expect.any(String),
      executions: { pending: { count: 1, capped: false }, running: { count: 0 }, retrying: { count: 0 } },
      deadLetters: { count: 1, capped: false },
      overduePeriods: 0,
      schedules: { total: 1, paused: 0, disabled: 0, orphaned: 0, behind: 0 },
      queues: { total: 3, paused: 1, open: 0 },
      instances: { total: 1 },
      oldestReadyAgeMs: expect.any(Number),
    });
    expect(body.attention).toEqual([
      {
        kind: 'dead-letters',
        subject: 'broken',
        text: 'One execution failed, and nobody has acknowledged it.',
        link: { job: 'broken' },
      },
      { kind: 'queue-paused', subject: 'mails', text: expect.stringContaining('bert'), link: { queue: 'mails' } },
      { kind: 'job-paused', subject: 'mail', text: expect.stringContaining('the relay moves'), link: { job: 'mail' } },
    ]);
  });

  it('shows the statistics of a window, by default of the last seven days', async () => {
    const { body } = await get('/jobs/broken/statistics');
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(7 * 86_400_000);
    expect(body).toMatchObject({
      jobName: 'broken',
      rows: 1,
      capped: false,
      successRate: 0,
      executions: { failed: 1 },
    });
    expect(body.buckets).toHaveLength(168);
    const past = await get('/jobs/broken/statistics?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00+01:00');
    expect(past.body).toMatchObject({ from: '2020-01-01T00:00:00.000Z', to: '2020-01-01T23:00:00.000Z', rows: 0 });
    expect(past.body).toMatchObject({ successRate: null, durationMs: null, startDelayMs: null });
  });

  it('shows the periods of one schedule and of all, those to come included', async () => {
    const [from, to] = [0, 3].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const { body } = await get(`/jobs/daily/periods?from=${from}&to=${to}`);
    expect(body).toMatchObject({ jobName: 'daily', timeZone: 'Europe/Berlin', from, to, nextCursor: null });
    expect(body.items).toHaveLength(3);
    expect(body.items[0]).toMatchObject({ state: 'not-due', executionId: null, period: expect.stringMatching(/^20/) });
    const grid = await get(`/periods?from=${from}&to=${to}&limit=2`);
    expect(grid.body).toMatchObject({ from, to, nextCursor: null, items: [{ jobName: 'daily', hasMore: true }] });
    expect(grid.body.items[0].items).toEqual(body.items.slice(1));
  });

  it('tells what happened to an execution in order, and which runbook helps', async () => {
    const path = `/executions/${encodeURIComponent('mail:one')}`;
    expect((await get(path)).body).toMatchObject({ runbook: 'https://runbooks.example.org/mail' });
    const { body } = await get(`/executions/${encodeURIComponent(`broken:${XSS}`)}/timeline`);
    expect(body.capped).toBe(false);
    expect(body.items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'created',
      'due',
      'attempt-started',
      'attempt-finished',
      'ended',
    ]);
    expect(body.items[3].text).toContain(`RangeError: ${XSS}`);
    expect((await get(`${path}/timeline?x=1`)).status).toBe(400);
  });

  it('names the clocks of the next fires', async () => {
    const { upcoming } = (await get('/schedules/daily')).body;
    expect(upcoming).toHaveLength(10);
    expect(upcoming[0]).toMatchObject({
      localTime: expect.stringMatching(/T06:00\+0[12]:00$/),
      marks: expect.any(Array),
    });
  });

  it.each(['/executions/broken:%3Cimg%20src=x%20onerror=alert(1)%3E', '/jobs/daily', '/schedules/daily'])(
    'answers 304 to who has the answer of %s',
    async (path) => {
      const { headers, status } = await get(path);
      expect(status).toBe(200);
      const tag = headers['etag'] as string;
      const again = await get(path).set('If-None-Match', `"other", ${tag}`);
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', tag]);
      expect((await get(path).set('If-None-Match', 'W/"other"')).status).toBe(200);
    },
  );

  it.each([
    ['/jobs/mail/periods', 400, 'JOBS_INVALID_QUERY'],
    ['/jobs/nothing/periods', 404, 'JOBS_UNKNOWN_JOB'],
    ['/jobs/nothing/statistics', 404, 'JOBS_UNKNOWN_JOB'],
    ['/jobs/mail/statistics?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 400, 'JOBS_INVALID_QUERY'],
    ['/jobs/mail/statistics?from=2000-01-01T00:00:00Z', 400, 'JOBS_INVALID_QUERY'],
  ])('answers %s with %i', async (path, status, code) => {
    expect((await get(path)).body).toMatchObject({ status, code });
  });

  it.each(['/executions', '/dead-letters', '/audit', '/alerts', '/periods'])(
    'bound a page of %s to 1 … 200 rows, 50 without a limit',
    async (path) => {
      for (const limit of ['0', '-1', '201', '1e9', '1000000000', 'abc', '5.5', ' 5', '']) {
        const { status, body } = await get(`${path}?limit=${encodeURIComponent(limit)}`);
        expect([status, body.code], limit).toEqual([400, 'JOBS_INVALID_QUERY']);
      }
      const largest = await get(`${path}?limit=200`);
      expect(largest.status).toBe(200);
      expect(largest.text.length).toBeLessThan(1_000_000);
      expect((await get(path)).body.items.length).toBeLessThanOrEqual(50);
    },
  );

  it.each([
    "/jobs/'; DROP TABLE executions;--",
    '/jobs/%00',
    `/jobs/${'x'.repeat(99)}`,
    '/jobs/%3Cscript%3E/statistics',
    '/jobs/%00/periods',
    '/schedules/%00',
    '/executions/%00/timeline',
  ])('find nothing at %s', async (path) => {
    const { status, type } = await get(encodeURI(path).replaceAll('%25', '%'));
    expect([status, type]).toEqual([404, 'application/problem+json']);
  });
});
