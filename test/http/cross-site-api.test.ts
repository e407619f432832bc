import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';

const JSON_BODY = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const HOST = { host: 'ops.example.org' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe.each(['express', 'fastify'] as const)('what changes something, on %s', (adapter) => {
  let app: INestApplication;
  const cancel = (headers: Readonly<Record<string, string>>, body = '{"reason":"x"}') =>
    request(app.getHttpServer()).post('/scheduled-jobs/api/executions/1/cancel').set(headers).send(body);

  beforeAll(async () => {
    app = await createApp(
      jobsModule({ url: database.url, imports: [JobsHttpModule.forRoot({ access: 'host' })] }),
      adapter,
    );
    await app.init();
    if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
  });
  afterAll(() => app.close());

  it.each([
    { ...JSON_BODY, ...HOST },
    { 'content-type': 'application/json; charset=utf-8', ...HOST, origin: 'https://ops.example.org' },
    { ...JSON_BODY, host: 'OPS.Example.org:8080', origin: 'http://ops.example.org:8080' },
    { ...JSON_BODY, 'sec-fetch-site': 'same-origin', origin: 'https://name.before.the.proxy' },
    { ...JSON_BODY, 'x-jobs-request': '1', 'sec-fetch-site': 'none' },
  ])('is done for programs and for pages of the same origin: %j', async (headers) => {
    expect((await cancel(headers)).body).toMatchObject({ code: 'JOBS_EXECUTION_NOT_FOUND' });
  });

  it.each([
    [{ ...JSON_BODY, 'sec-fetch-site': 'cross-site' }, 'another origin'],
    [{ ...JSON_BODY, 'x-jobs-request': '1', 'sec-fetch-site': 'same-site' }, 'another origin'],
    [{ ...JSON_BODY, ...HOST, origin: 'https://evil.example.org' }, 'not the Host'],
    [{ ...JSON_BODY, ...HOST, origin: 'https://ops.example.org.evil.org' }, 'not the Host'],
    [{ ...JSON_BODY, ...HOST, origin: 'null' }, 'not the Host'],
    [{ 'content-type': 'text/plain', 'x-jobs-request': '0' }, 'Send JSON'],
  ])('is refused for pages of other sites and for forms: %j', async (headers, detail) => {
    const { body } = await cancel(headers);
    // Fastify reads no such type of body in the first place.
    if (body.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return;
    expect(body).toMatchObject({
      status: 403,
      code: 'JOBS_CROSS_SITE_REQUEST',
      detail: expect.stringContaining(detail),
    });
  });

  it('is refused for the form of a page, with and without a body', async () => {
    expect((await cancel(FORM, 'reason=x')).status).toBe(403);
    const empty = await request(app.getHttpServer()).post('/scheduled-jobs/api/executions/1/cancel');
    expect(empty.body).toMatchObject({ status: 403, code: 'JOBS_CROSS_SITE_REQUEST' });
  });

  it('has nothing to do with reading', async () => {
    const read = request(app.getHttpServer()).get('/scheduled-jobs/api/executions').set('sec-fetch-site', 'cross-site');
    expect((await read).status).toBe(200);
  });
});
