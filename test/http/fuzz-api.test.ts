import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, ScheduledJob } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { DataSource } from 'typeorm';
import { apiRoutes, type RouteUnderTest } from '../support/api-routes.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';

class Jobs {
  @BackgroundJob({ name: 'mail' })
  mail(): void {}

  @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'UTC', startAt: new Date('2026-01-01T00:00:00Z') })
  daily(): void {}
}

/** What somebody may put where a text, a number or an instant is expected. */
const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  'x'.repeat(5_000),
  "'; DROP TABLE executions;--",
  '1 OR 1=1',
  'CASE WHEN (SELECT 1)=1 THEN id END',
  '<img src=x onerror=alert(1)>',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  '%00',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  '9999-12-31T23:59:59Z',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00Z',
];
/** What only JSON can carry. */
const HOSTILE_JSON: readonly unknown[] = [
  ...HOSTILE,
  0,
  -1,
  1e308,
  1.5,
  null,
  true,
  [],
  ['x', 'x'],
  {},
  { $gt: '' },
  { length: 1 },
  JSON.parse('{"__proto__":{"polluted":1}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":1}}}'),
];
/** Bodies that are no objects, or no JSON. */
const RAW_BODIES = [
  '',
  'null',
  '[]',
  '"x"',
  '7',
  '{',
  '{"reason":',
  '\u0000',
  '{"reason":"x","reason":"y"}',
  '['.repeat(50_000),
];
/** What stands in a path, encoded as a client would. */
const PATH_PARTS = [
  ...HOSTILE.map(String).filter((text) => text !== '\ud800'),
  '汉'.repeat(200),
  '..',
  '.',
  'id:1',
  'constructor',
  '__proto__',
];

const schema = freshSchema();
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Of so many requests one is sent; all of them with SOAK=1. */
const SHARE = process.env['SOAK'] === undefined ? { express: 5, fastify: 20 } : { express: 1, fastify: 1 };
const ALLOWED = [200, 304, 400, 403, 404, 409, 413, 415];

describe.each(['express', 'fastify'] as const)('whatever is sent, on %s', (adapter) => {
  let app: INestApplication;
  const root = '/scheduled-jobs/api';
  const filled = (path: string): string =>
    path.replace(':key', 'mail:k').replace(':job', 'daily').replaceAll(/:\w+/g, '1');
  const send = (method: RouteUnderTest['method'], url: string) =>
    method === 'GET' ? request(app.getHttpServer()).get(url) : request(app.getHttpServer()).post(url);
  /** Sent a few at a time; what was answered with a status that is not allowed. */
  const unwelcome = async (all: readonly (() => request.Test)[]): Promise<readonly string[]> => {
    const requests = all.filter((_, index) => index % SHARE[adapter] === 0);
    const answers: string[] = [];
    for (let from = 0; from < requests.length; from += 8) {
      const some = await Promise.all(requests.slice(from, from + 8).map((one) => one()));
      for (const { status, request: asked, text } of some) {
        if (!ALLOWED.includes(status))
          answers.push(`${status} ${asked.method} ${asked.url.slice(0, 200)}: ${text.slice(0, 200)}`);
      }
    }
    return answers;
  };

  beforeAll(async () => {
    const http = JobsHttpModule.forRoot({ access: 'host' });
    app = await createApp(
      jobsModule({ url: database.url, providers: [Jobs], imports: [http], jobs: { schema } }),
      adapter,
    );
    await app.init();
    if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
    await app.get(JobsClient).enqueue('mail', {}, { key: 'k' });
  });
  afterAll(() => app.close());

  it.each(apiRoutes.filter(({ method }) => method === 'GET'))(
    '$path answers no parameter with a fault',
    async ({ path, members }) => {
      // Some routers drop a __proto__, and without any parameter a stream of events does not end.
      const names = ['sort', 'order', ...(path === '/events' ? [] : ['__proto__']), ...members];
      const queries = names.flatMap((name) => [
        ...HOSTILE.map((value) => `${name}=${value === '\ud800' ? '%ED%A0%80' : encodeURIComponent(String(value))}`),
        `${name}=a&${name}=b`,
        `${name}[]=a`,
        `${name}[x]=1`,
        `${name}[__proto__][x]=1`,
        `${name}[0][x]=1&${name}=b`,
        name,
      ]);
      expect(await unwelcome(queries.map((query) => () => send('GET', `${root}${filled(path)}?${query}`)))).toEqual([]);
    },
  );

  it.each(apiRoutes.filter(({ method }) => method === 'POST'))(
    '$path answers no body with a fault',
    async ({ path, members }) => {
      const names = ['__proto__', 'constructor', ...members];
      const url = `${root}${filled(path)}`;
      const bodies = names.flatMap((name) =>
        HOSTILE_JSON.map((value) =>
          JSON.stringify(
            Object.fromEntries([
              ['reason', 'x'],
              ...(members.includes('dryRun') ? [['dryRun', true] as const] : []),
              [name, value],
            ]),
          ),
        ),
      );
      const requests = [...bodies, ...RAW_BODIES].map(
        (body) => () => send('POST', url).set('content-type', 'application/json').send(body),
      );
      const forms = [
        'application/x-www-form-urlencoded',
        'text/plain',
        'multipart/form-data',
        'application/xml',
        '',
      ].map(
        (type) => () =>
          send('POST', url).set({ 'content-type': type, 'x-jobs-request': '1' }).send('reason=x&reason=y&force[x]=1'),
      );
      expect(await unwelcome([...requests, ...forms])).toEqual([]);
    },
  );

  it('no part of a path is answered with a fault', async () => {
    const urls = apiRoutes
      .filter(({ path }) => path.includes(':'))
      .flatMap(({ method, path }) =>
        PATH_PARTS.map((part) => ({ method, url: `${root}${path.replaceAll(/:\w+/g, encodeURIComponent(part))}` })),
      );
    expect(
      await unwelcome(
        urls.map(
          ({ method, url }) =>
            () =>
              send(method, url).set('x-jobs-request', '1'),
        ),
      ),
    ).toEqual([]);
    const bodied = urls.filter(({ method }) => method === 'POST');
    expect(
      await unwelcome(
        bodied.map(
          ({ method, url }) =>
            () =>
              send(method, url).send({ reason: 'x' }),
        ),
      ),
    ).toEqual([]);
  });

  it.each(['/periods', '/jobs/daily/periods', '/jobs/daily/statistics', '/executions'])(
    'no window of %s begins before or ends behind what the ledger can hold',
    async (path) => {
      for (const year of ['0000', '0001', '1899']) {
        const { body } = await send('GET', `${root}${path}?to=${year}-01-01T00:00:00Z`);
        expect(body).toMatchObject({ status: 400, problems: [expect.stringContaining('1900')] });
      }
      for (const to of ['9999-12-31T23:59:59-23:59', '2026-02-30T00:00:00Z'])
        expect((await send('GET', `${root}${path}?to=${to}`)).body, to).toMatchObject({ code: 'JOBS_INVALID_QUERY' });
    },
  );

  it('a refusal is short, however much was wrong', async () => {
    const query = Array.from({ length: 500 }, (_, n) => `wrong${n}=1`).join('&');
    expect((await send('GET', `${root}/executions?${query}`)).text.length).toBeLessThan(20_000);
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`wrong${n}`, 1]));
    expect((await send('POST', `${root}/jobs/daily/pause`).send(body)).text.length).toBeLessThan(20_000);
  });

  it('no header is answered with a fault', async () => {
    const values = ['', ' ', 'x'.repeat(300), "';--", '\t', 'a, b', 'null', 'http://[', '*/*', '"x"', 'W/"x", *'];
    const names = [
      'idempotency-key',
      'origin',
      'sec-fetch-site',
      'x-jobs-request',
      'if-none-match',
      'accept',
      'content-type',
      'authorization',
    ];
    const url = `${root}/executions/mail%3Ak`;
    const requests = names.flatMap((name) =>
      values.flatMap((value) => [
        () => send('GET', url).set(name, value),
        () => send('POST', `${url}/acknowledge`).set('x-jobs-request', '1').set(name, value).send('{"reason":"x"}'),
      ]),
    );
    expect(await unwelcome(requests)).toEqual([]);
  });

  it('and afterwards the tables and the objects are as they were', async () => {
    const [{ count }] = await app.get(DataSource).query(`select count(*)::int as count from ${schema}.executions`);
    expect(count).toBeGreaterThan(0);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
