import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';

class Jobs {
  @BackgroundJob({ name: 'mail' })
  mail(): void {}
}

const LONG_KEY = `${'汉'.repeat(200)}/%2F?&#`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe.each(['express', 'fastify'] as const)('actions on one execution, on %s', (adapter) => {
  let app: INestApplication;
  let jobs: JobsClient;
  const post = (path: string, body: object | string = { reason: 'wrong customer' }) =>
    request(app.getHttpServer()).post(`/scheduled-jobs/api/executions/${path}`).send(body);
  const enqueued = async (key: string): Promise<string> => {
    const { execution } = await jobs.enqueue('mail', { to: 'ann' }, { key });
    return execution?.key ?? '';
  };

  beforeAll(async () => {
    const http = JobsHttpModule.forRoot({ access: 'host', actorOf: () => Promise.resolve('ann') });
    app = await createApp(jobsModule({ url: database.url, providers: [Jobs], imports: [http] }), adapter);
    await app.init();
    if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
    jobs = app.get(JobsClient);
  });
  afterAll(() => app.close());

  it('cancels, retries and says what was done, with actor and reason in the audit', async () => {
    const key = await enqueued(LONG_KEY);
    const path = encodeURIComponent(key);
    const canceled = await post(`${path}/cancel`);
    expect([canceled.status, canceled.body]).toMatchObject([200, { key, done: 'canceled' }]);
    const retried = await post(`${path}/retry`, { reason: 'right after all', payload: { to: 'bob' } });
    expect([retried.status, retried.body]).toMatchObject([200, { key, runAt: expect.any(String) }]);
    expect((await jobs.get(key))?.payload).toEqual({ to: 'bob' });
    const { items } = await jobs.audit({});
    expect(items.slice(0, 2)).toMatchObject([
      { action: 'replay', actor: 'ann', reason: 'right after all' },
      { action: 'cancel', actor: 'ann', reason: 'wrong customer' },
    ]);
  });

  it('answers 409 with a code when the state does not allow it, and 404 for what is not there', async () => {
    const path = encodeURIComponent(await enqueued('waits'));
    expect((await post(`${path}/retry`)).body).toMatchObject({ status: 409, code: 'JOBS_EXECUTION_NOT_REPLAYABLE' });
    expect((await post(`${path}/acknowledge`)).body).toMatchObject({ status: 409, code: 'JOBS_EXECUTION_NOT_FAILED' });
    expect((await post('mail:nothing/cancel')).body).toMatchObject({ status: 404, code: 'JOBS_EXECUTION_NOT_FOUND' });
  });

  it.each([
    [{}, 'reason is required'],
    [{ reason: '' }, 'reason is required'],
    [{ reason: 'x'.repeat(501) }, 'reason is required'],
    [{ reason: ['x'] }, 'reason is required'],
    [{ reason: 'x', actor: 'boss' }, 'there is no member "actor" here. Known: reason'],
    [{ reason: 'x', raeson: 'y' }, 'Did you mean "reason"?'],
    [[], 'must be an object, got a list'],
  ])('refuses the body %j', async (body, problem) => {
    const response = await post('1/cancel', body);
    expect(response.body).toMatchObject({ status: 400, code: 'JOBS_INVALID_REQUEST' });
    expect(response.body.detail).toContain('Cannot cancel "1"');
    expect(response.body.problems.join()).toContain(problem);
  });

  it('refuses parameters, and knows no other verbs', async () => {
    expect((await post('1/cancel?force=1')).body).toMatchObject({ status: 400, code: 'JOBS_INVALID_QUERY' });
    for (const path of ['1', '1/delete', '1/cancel/now', '/cancel']) {
      expect((await post(path)).body, path).toMatchObject({ status: 404, code: 'JOBS_ROUTE_NOT_FOUND' });
    }
  });
});
