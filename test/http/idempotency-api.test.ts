import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, ScheduledJob } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { DataSource } from 'typeorm';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';

class Jobs {
  @BackgroundJob({ name: 'mail' })
  mail(): void {}

  @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'UTC', startAt: new Date('2026-01-01T00:00:00Z') })
  daily(): void {}
}

const schema = freshSchema();
let database: TestDatabase;
let app: INestApplication;
let jobs: JobsClient;

const send = (key: string, body: object = { reason: 'x' }, options: { path?: string; actor?: string } = {}) =>
  request(app.getHttpServer())
    .post(`/scheduled-jobs/api${options.path ?? '/jobs/mail/trigger'}`)
    .set({ 'idempotency-key': key, 'x-user': options.actor ?? 'ann' })
    .send(body);
const sql = (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  app.get(DataSource).query(text.replaceAll('@', `${schema}.`), values);

beforeAll(async () => {
  database = await createDatabase();
  const http = JobsHttpModule.forRoot({
    access: 'host',
    actorOf: ({ headers }: { headers: Record<string, string> }) => headers['x-user'],
  });
  app = await createApp(jobsModule({ url: database.url, providers: [Jobs], imports: [http], jobs: { schema } }));
  await app.init();
  jobs = app.get(JobsClient);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

describe('a request with an Idempotency-Key', () => {
  it('is done once, and its repetitions get the stored answer', async () => {
    const first = await send('once');
    expect(first.body).toMatchObject({ created: true });
    const again = await send('once');
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await jobs.find({ job: 'mail' })).items).toHaveLength(1);
    expect((await jobs.audit({})).items).toHaveLength(1);
  });

  it('is refused when the key stands for another body, action or subject', async () => {
    await send('other');
    for (const answer of [
      await send('other', { reason: 'y' }),
      await send('other', { reason: 'x' }, { path: '/jobs/mail/pause' }),
      await send('other', { reason: 'x' }, { path: '/jobs/daily/trigger' }),
    ]) {
      expect(answer.body).toMatchObject({ status: 409, code: 'JOBS_IDEMPOTENCY_KEY_REUSED' });
    }
  });

  it('is one request of its actor: the same key of another one is another request', async () => {
    const anns = await send('shared');
    const bobs = await send('shared', { reason: 'x' }, { actor: 'bob' });
    expect(bobs.body).toMatchObject({ created: true });
    expect(bobs.body).not.toEqual(anns.body);
  });

  it('is done once when it comes many times at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('crowd')));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ body }) => body.execution.key)).size).toBe(1);
    const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code as string);
    expect(codes.filter((code) => code !== 'JOBS_REQUEST_IN_PROGRESS')).toEqual([]);
  });

  it('is free again when it was refused', async () => {
    const body = { reason: 'x', period: '2099-01-01' };
    const path = '/jobs/daily/trigger';
    expect((await send('refused', body, { path })).status).toBe(400);
    expect((await send('refused', { reason: 'x', period: '2026-02-01' }, { path })).body).toMatchObject({
      created: true,
    });
  });

  it('makes no second execution when the process died before it could keep its answer', async () => {
    const first = await send('died');
    await sql(`update @requests set answer = null`);
    expect((await send('died')).body).toMatchObject({ status: 409, code: 'JOBS_REQUEST_IN_PROGRESS' });
    await sql(`update @requests set began_at = began_at - interval '3 minutes'`);
    expect((await send('died')).body).toMatchObject({ created: false, execution: { key: first.body.execution.key } });
  });

  it.each(['', 'k'.repeat(201)])('is refused when its key cannot be one: %j', async (key) => {
    expect((await send(key)).body).toMatchObject({ status: 400, code: 'JOBS_REQUEST_REFUSED' });
  });
});
