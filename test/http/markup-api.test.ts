import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, Worker } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

const MARKUP = ['<img src=x onerror=alert(1)>', '</script><script>alert(1)</script>', 'javascript:alert(1)'];

class Jobs {
  @BackgroundJob({ name: 'broken', retry: { maxAttempts: 1 } })
  broken({ payload }: { readonly payload: string }): void {
    throw new RangeError(payload);
  }
}

let database: TestDatabase;
let app: INestApplication;
beforeAll(async () => {
  database = await createDatabase();
  const http = JobsHttpModule.forRoot({ access: 'host', actorOf: () => MARKUP[0] });
  app = await createApp(jobsModule({ url: database.url, providers: [Jobs], imports: [http] }));
  await app.init();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** No browser takes such an answer for a page, and if it did, nothing in it could run. */
function expectData({ headers }: request.Response, type: string): void {
  expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
}

describe('markup in keys, payloads, errors, reasons and actors', () => {
  it.each(MARKUP)('is data in every answer: %s', async (text) => {
    const server = app.getHttpServer();
    const ended = nextEvent(app, 'execution.ended');
    app.get(Worker).start();
    const { execution } = await app.get(JobsClient).enqueue('broken', text, { key: text });
    await ended;
    const path = `/scheduled-jobs/api/executions/${encodeURIComponent(execution?.key ?? '')}`;
    const detail = await request(server).get(path);
    expectData(detail, 'application/json');
    expect(detail.body).toMatchObject({ key: `broken:${text}`, payload: text, error: { message: text } });
    expectData(await request(server).post(`${path}/acknowledge`).send({ reason: text }), 'application/json');
    const audit = await request(server).get('/scheduled-jobs/api/audit');
    expectData(audit, 'application/json');
    expect(audit.body.items[0]).toMatchObject({ actor: MARKUP[0], reason: text });
  });

  it('is data in every refusal, and no callback is called', async () => {
    const server = app.getHttpServer();
    const paths = [
      `/executions/${encodeURIComponent(MARKUP[1] ?? '')}`,
      `/executions?${encodeURIComponent(MARKUP[0] ?? '')}=1`,
      `/executions?state=${encodeURIComponent(MARKUP[0] ?? '')}`,
      '/executions?callback=alert',
    ];
    for (const path of paths) {
      const answer = await request(server).get(`/scheduled-jobs/api${path}`);
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
      expectData(answer, 'application/problem+json');
      expect(answer.text.startsWith('{'), path).toBe(true);
    }
  });
});
