import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, Worker, type JobRun } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

const LONG_KEY = '汉'.repeat(300);
const KEYS = ['plain', 'with/slash', 'with space & ?query=1#hash', 'pct%2Fsign', LONG_KEY];

class Mail {
  @BackgroundJob({ name: 'mail', queue: 'mails' })
  mail(): void {}

  @BackgroundJob({ name: 'broken', queue: 'broken', retry: { maxAttempts: 1 } })
  async broken(run: JobRun<never>): Promise<void> {
    await run.step('look', () => ({ shelf: 7, apiKey: 'hunter2' }));
    run.log.warn('about to break', { step: 1 });
    throw new RangeError('the shelf is empty');
  }
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe.each(['express', 'fastify'] as const)('the REST API on %s', (adapter) => {
  let app: INestApplication;
  let brokenId: string;
  const get = (path: string) => request(app.getHttpServer()).get(`/scheduled-jobs/api${path}`);
  const idsOf = (body: { items: { executionId: string }[] }): readonly string[] =>
    body.items.map((item) => item.executionId);

  beforeAll(async () => {
    const root = jobsModule({
      url: database.url,
      providers: [Mail],
      imports: [JobsHttpModule.forRoot({ access: 'host' })],
      jobs: { worker: { queues: ['broken'], pollInterval: '100ms' } },
    });
    app = await createApp(root, adapter);
    await app.init();
    if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
    const jobs = app.get(JobsClient);
    for (const key of KEYS) await jobs.enqueue('mail', { to: 'a@example.org' }, { key });
    const ended = nextEvent(app, 'execution.ended');
    app.get(Worker).start();
    brokenId = (await jobs.enqueue('broken', { secretPlan: 1 })).execution?.executionId ?? '';
    await ended;
  });
  afterAll(() => app.close());

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=201',
    'limit=abc',
    'limit=1.5',
    'limit=',
    'limit=1&limit=2',
    'sort=id);--',
    'order=ASC;DROP TABLE x',
    'sort=CASE WHEN (SELECT 1)=1 THEN id END',
    "job='; DROP TABLE executions;--",
    'job=mail&job=broken',
    'job[x]=mail',
    'state=unknown',
    'state=failed&state=unknown',
    'state[x]=failed',
    'state=',
    'trigger=cron',
    'queue=%00',
    'worker=%00',
    'worker=',
    'period=%00',
    'period=a/b',
    'from=yesterday',
    'from=2026-01-01',
    'from=2026-01-01T00:00:00',
    'to=2026-13-45T00:00:00Z',
    'to=1e99',
    'minDuration=-1',
    'minDuration=5',
    'maxDuration=NaN',
    'minAttempts=-1',
    'minAttempts=NaN',
    'cursor=garbage',
    'cursor=',
    'cursor=%00',
    'fingerprint=abc',
    '__proto__=1',
    '__proto__[limit]=1',
    'constructor=1',
    'LIMIT=1',
  ])('answers 400 and changes nothing for ?%s', async (query) => {
    const response = await get(`/executions?${encodeURI(query).replaceAll('%25', '%')}`);
    expect(response.status, response.text).toBe(400);
    expect(response.type).toBe('application/problem+json');
    expect(response.body).toMatchObject({ status: 400, code: 'JOBS_INVALID_QUERY', title: 'Bad Request' });
    expect(response.body.problems.length).toBeGreaterThan(0);
    expect(idsOf((await get('/executions')).body)).toHaveLength(KEYS.length + 1);
  });

  it('finds executions by the kind of their error', async () => {
    const { fingerprint } = (await get(`/executions/${brokenId}`)).body.error;
    expect(idsOf((await get(`/executions?fingerprint=${fingerprint}`)).body)).toEqual([brokenId]);
    expect(idsOf((await get('/executions?fingerprint=0123456789abcdef')).body)).toEqual([]);
  });

  it('says how several states are given, and that a route takes no parameters', async () => {
    const { body } = await get('/executions?state=succeeded,failed');
    expect(body.problems).toEqual([expect.stringContaining('repeat it, state=succeeded&state=failed')]);
    const why = await get(`/executions/${brokenId}/why?x=1`);
    expect(why.body.problems).toEqual([expect.stringContaining('takes no parameters')]);
  });

  it('names every mistake of a query', async () => {
    const { body } = await get('/executions?limit=0&state=x&sort=id');
    expect(body.problems).toEqual([
      expect.stringContaining('there is no parameter "sort" here'),
      expect.stringContaining('state must be one of pending, running'),
      'limit must be a whole number from 1 to 200',
    ]);
  });

  it('refuses the cursor of another filter', async () => {
    const first = await get('/executions?queue=mails&limit=2');
    const cursor = encodeURIComponent(first.body.nextCursor as string);
    expect((await get(`/executions?queue=mails&limit=2&cursor=${cursor}`)).status).toBe(200);
    const other = await get(`/executions?queue=broken&limit=2&cursor=${cursor}`);
    expect(other.body).toMatchObject({ status: 400, code: 'JOBS_INVALID_QUERY' });
  });

  it('walks over all executions once, newest first, without payload, result and stack', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body, status, text } = await get(`/executions?limit=2${cursor}`);
      expect(status, text).toBe(200);
      for (const item of body.items)
        for (const left of ['payload', 'result', 'error', 'stack']) expect(item).not.toHaveProperty(left);
      seen.push(...idsOf(body));
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor as string)}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(KEYS.length + 1);
    expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
  });

  it('reads a repeated state as any of these states', async () => {
    const both = await get('/executions?state=pending&state=failed');
    expect(idsOf(both.body)).toHaveLength(KEYS.length + 1);
    expect(idsOf((await get('/executions?state=failed')).body)).toEqual([brokenId]);
  });

  it('filters by time, attempts and duration', async () => {
    const count = async (query: string) => idsOf((await get(`/executions?${query}`)).body).length;
    expect(await count('from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00%2B01:00')).toBe(0);
    expect(await count('from=2020-01-01T00:00:00+01:00')).toBe(KEYS.length + 1);
    expect(await count('minAttempts=1')).toBe(1);
    expect(await count('maxDuration=1h&state=failed')).toBe(1);
    expect(await count('minDuration=1h&state=failed')).toBe(0);
  });

  it.each(KEYS)('finds the execution with the key %s and what belongs to it', async (key) => {
    const encoded = encodeURIComponent(`mail:${key}`);
    const { body, status, text } = await get(`/executions/${encoded}`);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({
      key: `mail:${key}`,
      jobName: 'mail',
      state: 'pending',
      payload: { to: 'a@example.org' },
    });
    expect(body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(typeof body.executionId).toBe('string');
    expect((await get(`/executions/${encoded}/attempts`)).body).toEqual({ items: [], nextCursor: null });
    expect((await get(`/executions/${encoded}/why`)).body).toMatchObject({
      standing: { kind: 'queued', queue: 'mails' },
    });
  });

  it('shows attempts, steps, logs and errors by id, but no stacks', async () => {
    const detail = await get(`/executions/${brokenId}`);
    expect(detail.body).toMatchObject({
      state: 'failed',
      error: { errorClass: 'RangeError', message: 'the shelf is empty' },
    });
    const attempts = await get(`/executions/${brokenId}/attempts`);
    expect(attempts.body.items).toMatchObject([
      { attempt: 1, outcome: 'failed', error: { message: 'the shelf is empty' } },
    ]);
    const logs = await get(`/executions/${brokenId}/logs`);
    expect(logs.body.items).toMatchObject([{ level: 'warn', message: 'about to break', fields: { step: 1 } }]);
    expect((await get(`/executions/${brokenId}/items`)).body.items).toEqual([]);
    const steps = await get(`/executions/${brokenId}/steps`);
    expect(steps.body.items).toMatchObject([{ stepName: 'look', result: { shelf: 7, apiKey: '[redacted]' } }]);
    for (const { text } of [detail, attempts]) expect(text).not.toMatch(/stack|executions-api\.test/);
  });

  it.each([
    ['/executions/mail:unknown', 'JOBS_EXECUTION_NOT_FOUND'],
    ['/executions/mail:unknown/attempts', 'JOBS_EXECUTION_NOT_FOUND'],
    ['/executions/mail:unknown/why', 'JOBS_EXECUTION_NOT_FOUND'],
    ['/executions/0', 'JOBS_EXECUTION_NOT_FOUND'],
    ['/executions/99999999999999999999', 'JOBS_EXECUTION_NOT_FOUND'],
    ['/executions/-1', 'JOBS_EXECUTION_NOT_FOUND'],
    ['/executions/a%00b', 'JOBS_EXECUTION_NOT_FOUND'],
    ["/executions/'%20or%20''='", 'JOBS_EXECUTION_NOT_FOUND'],
    ['/executions/1/nothing', 'JOBS_ROUTE_NOT_FOUND'],
    ['/executions/1/attempts/1', 'JOBS_ROUTE_NOT_FOUND'],
    ['/schedules/unknown', 'JOBS_SCHEDULE_NOT_FOUND'],
    ['/schedules/a%00b', 'JOBS_SCHEDULE_NOT_FOUND'],
    ['/nothing', 'JOBS_ROUTE_NOT_FOUND'],
    ['/nothing/at/all', 'JOBS_ROUTE_NOT_FOUND'],
    ['/nothing/scheduled-jobs/api', 'JOBS_ROUTE_NOT_FOUND'],
  ])('answers 404 for %s', async (path, code) => {
    const response = await get(path);
    expect(response.status, response.text).toBe(404);
    expect(response.type).toBe('application/problem+json');
    expect(response.body).toMatchObject({ status: 404, code, type: 'about:blank' });
  });

  it.each(['', '/'])('lists its routes at its root, each of which is there: %o', async (end) => {
    const { status, body } = await get(end);
    expect(status).toBe(200);
    const { routes } = body as { readonly routes: readonly { readonly method: string; readonly path: string }[] };
    for (const { path } of routes.filter(({ method }) => method === 'GET')) {
      const asked = path
        .replace(':key', brokenId)
        .replace(/:(name|job|id|queue)/, 'x')
        .replace('/scheduled-jobs/api', '');
      // With a parameter that there is not, so that a stream answers and ends, too.
      expect((await get(`${asked}?none=1`)).body, path).not.toMatchObject({ code: 'JOBS_ROUTE_NOT_FOUND' });
    }
    expect(routes.length).toBeGreaterThan(12);
    expect((await get('?x=1')).status).toBe(400);
    expect((await request(app.getHttpServer()).post(`/scheduled-jobs/api${end}`)).status).toBe(404);
  });

  it('refuses parameters of one execution and its lists', async () => {
    expect((await get(`/executions/${brokenId}?verbose=1`)).status).toBe(400);
    expect((await get(`/executions/${brokenId}/why?x=1`)).status).toBe(400);
    expect((await get(`/executions/${brokenId}/logs?limit=0`)).status).toBe(400);
    expect((await get(`/executions/${brokenId}/logs?cursor=abc`)).status).toBe(400);
    expect((await get(`/schedules?limit=1`)).status).toBe(400);
  });

  it('never answers 500 for a path that is no encoding', async () => {
    expect((await get('/executions/%E0%A4%A')).status).toBeLessThan(500);
  });

  it.each(['post', 'put', 'patch', 'delete'] as const)('has no %s route', async (method) => {
    const asked = request(app.getHttpServer())[method](`/scheduled-jobs/api/executions/${brokenId}`);
    const response = await asked.set('x-jobs-request', '1');
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ code: 'JOBS_ROUTE_NOT_FOUND' });
  });

  it('forbids caches and content guessing, on answers and on errors', async () => {
    for (const response of [await get('/executions'), await get('/executions?limit=0'), await get('/nothing')]) {
      expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    }
  });
});

describe('the REST API behind a query parser that makes objects', () => {
  it.each(['state[x]=failed', 'limit[]=1', 'job[__proto__][x]=1'])('answers 400 for ?%s', async (query) => {
    const root = jobsModule({ url: database.url, imports: [JobsHttpModule.forRoot({ access: 'host' })] });
    const app = await createApp(root);
    (app.getHttpAdapter().getInstance() as { set(name: string, value: string): void }).set('query parser', 'extended');
    await app.init();
    const response = await request(app.getHttpServer()).get(`/scheduled-jobs/api/executions?${query}`);
    await app.close();
    expect(response.body).toMatchObject({ status: 400, code: 'JOBS_INVALID_QUERY' });
  });
});
