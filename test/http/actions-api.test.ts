import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, ScheduledJob } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { DataSource } from 'typeorm';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';

class Jobs {
  @BackgroundJob({ name: 'mail', queue: 'mails' })
  mail(): void {}

  @BackgroundJob({ name: 'other', overlap: 'skip', concurrencyKey: () => 'one' })
  other(): void {}

  @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'UTC', startAt: new Date('2026-01-01T00:00:00Z') })
  daily(): void {}
}

const schema = freshSchema();
let database: TestDatabase;
let app: INestApplication;
let jobs: JobsClient;

const post = (path: string, body: object = { reason: 'why not' }) =>
  request(app.getHttpServer()).post(`/scheduled-jobs/api${path}`).send(body);
const sql = (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  app.get(DataSource).query(text.replaceAll('@', `${schema}.`), values);

/** A dead letter. */
async function dead(key: string, job = 'mail'): Promise<string> {
  const { execution } = await jobs.enqueue(job, undefined, { key });
  const id = execution?.executionId ?? '';
  await sql('delete from @work where execution_id = $1', [id]);
  await sql(`insert into @outcomes (execution_id, state, finished_at) values ($1, 'failed', now())`, [id]);
  return id;
}

beforeAll(async () => {
  database = await createDatabase();
  const http = JobsHttpModule.forRoot({ access: 'host', actorOf: () => 'ann' });
  app = await createApp(jobsModule({ url: database.url, providers: [Jobs], imports: [http], jobs: { schema } }));
  await app.init();
  jobs = app.get(JobsClient);
});
beforeEach(() => sql('truncate @executions, @keys, @work, @outcomes, @audit, @requests'));
afterAll(async () => {
  await app.close();
  await database.drop();
});

describe('a job over HTTP', () => {
  it('is triggered, once for each period', async () => {
    const body = { reason: 'it is needed now', period: '2026-08-14' };
    const first = await post('/jobs/daily/trigger', body);
    expect([first.status, first.body]).toMatchObject([200, { created: true, execution: { key: 'daily:2026-08-14' } }]);
    expect((await post('/jobs/daily/trigger', body)).body).toMatchObject({ created: false });
    const [entry] = (await jobs.audit({})).items;
    expect(entry).toMatchObject({ action: 'trigger', actor: 'ann', reason: 'it is needed now' });
  });

  it('is triggered with a payload, which is checked as by enqueue', async () => {
    const { body } = await post('/jobs/mail/trigger', {
      reason: 'x',
      payload: { to: 'bob', apiKey: 'secret' },
      key: 'k1',
    });
    expect(body).toMatchObject({ created: true, execution: { key: 'mail:manual:k1' } });
    expect((await jobs.get('mail:manual:k1'))?.payload).toEqual({ to: 'bob', apiKey: 'secret' });
    const refused = await post('/jobs/daily/trigger', { reason: 'x', payload: {} });
    expect(refused.body).toMatchObject({ status: 400, code: 'JOBS_INVALID_REQUEST' });
  });

  it('answers 409 with a code when it is paused, or something is in the way', async () => {
    await jobs.enqueue('other');
    expect((await post('/jobs/other/trigger')).body).toMatchObject({ status: 409, code: 'JOBS_OVERLAP' });
    await post('/jobs/mail/pause');
    expect((await post('/jobs/mail/trigger')).body).toMatchObject({ status: 409, code: 'JOBS_JOB_PAUSED' });
    expect((await post('/jobs/mail/trigger', { reason: 'x', force: true })).body).toMatchObject({ created: true });
    await post('/jobs/mail/resume');
  });

  it('is paused and resumed', async () => {
    expect((await post('/jobs/daily/pause')).body).toEqual({ changed: true, at: expect.any(String) });
    expect((await post('/jobs/daily/pause')).body).toMatchObject({ changed: false });
    expect((await post('/jobs/daily/resume', { reason: 'x', catchUp: true })).body).toMatchObject({ changed: true });
    expect((await jobs.audit({})).items.map(({ action, actor }) => [action, actor])).toEqual([
      ['resume', 'ann'],
      ['pause', 'ann'],
    ]);
  });

  it('is backfilled, after a look at what would be done, and the backfill canceled', async () => {
    const range = { from: '2026-02-01T00:00:00Z', to: '2026-02-03T12:00:00Z' };
    const preview = await post('/jobs/daily/backfill', { ...range, dryRun: true });
    expect(preview.body).toMatchObject({ dryRun: true, occurrences: 3, toInsert: 3, first: 'daily:2026-02-01' });
    const { body } = await post('/jobs/daily/backfill', { ...range, reason: 'lost', order: 'newest-first' });
    expect(body).toMatchObject({ dryRun: false, inserted: 3, actor: 'ann', reason: 'lost', order: 'newest-first' });
    const path = `/backfills/${body.backfillId}`;
    expect((await post(`${path}/cancel`)).body).toMatchObject({ canceledNow: 3 });
    const detail = await request(app.getHttpServer()).get(`/scheduled-jobs/api${path}`);
    expect(detail.body).toMatchObject({ backfillId: body.backfillId, canceledBy: 'ann', cancelReason: 'why not' });
    const list = await request(app.getHttpServer()).get('/scheduled-jobs/api/backfills?job=daily&state=canceled');
    expect(list.body).toEqual({ items: [detail.body], nextCursor: null });
  });

  it.each([
    ['/jobs/nobody/trigger', { reason: 'x' }, 404, 'JOBS_UNKNOWN_JOB'],
    ['/jobs/nobody/pause', { reason: 'x' }, 404, 'JOBS_UNKNOWN_JOB'],
    ['/jobs/daily/pause', {}, 400, 'JOBS_INVALID_REQUEST'],
    ['/jobs/daily/resume', { reason: 'x', catchup: true }, 400, 'JOBS_INVALID_REQUEST'],
    ['/jobs/daily/resume', { reason: 'x', catchUp: 'yes' }, 400, 'JOBS_INVALID_REQUEST'],
    [
      '/jobs/mail/backfill',
      { reason: 'x', from: '2026-02-01T00:00Z', to: '2026-02-01T00:00Z' },
      400,
      'JOBS_INVALID_REQUEST',
    ],
    ['/jobs/daily/backfill', { from: '2026-02-01T00:00Z', to: '2026-02-01T00:00Z' }, 400, 'JOBS_INVALID_REQUEST'],
    ['/jobs/daily/backfill', { reason: 'x', from: 'yesterday', to: '2026-02-01T00:00Z' }, 400, 'JOBS_INVALID_REQUEST'],
    ['/backfills/999/cancel', { reason: 'x' }, 404, 'JOBS_BACKFILL_NOT_FOUND'],
    ['/backfills/x/cancel', { reason: 'x' }, 404, 'JOBS_BACKFILL_NOT_FOUND'],
    ['/queues/nobody/pause', { reason: 'x' }, 400, 'JOBS_INVALID_REQUEST'],
    ['/dead-letters/replay', { reason: 'x', job: 'mail', limit: 201 }, 400, 'JOBS_INVALID_REQUEST'],
    ['/dead-letters/replay', { reason: 'x', job: 'mail', states: ['succeeded'] }, 400, 'JOBS_INVALID_REQUEST'],
    ['/dead-letters/replay', { reason: 'x', states: Array(5).fill('failed') }, 400, 'JOBS_INVALID_REQUEST'],
    ['/dead-letters/replay', { job: 'mail' }, 400, 'JOBS_INVALID_REQUEST'],
    ['/dead-letters/acknowledge', { job: 'mail' }, 400, 'JOBS_INVALID_REQUEST'],
    ['/dead-letters/acknowledge', { reason: 'x', job: 'mail', limit: 201 }, 400, 'JOBS_INVALID_REQUEST'],
    ['/dead-letters/acknowledge', { reason: 'x', states: ['failed'] }, 400, 'JOBS_INVALID_REQUEST'],
    ['/jobs/daily/delete', { reason: 'x' }, 404, 'JOBS_ROUTE_NOT_FOUND'],
  ])('refuses %s %j', async (path, body, status, code) => {
    expect((await post(path, body)).body).toMatchObject({ status, code });
  });
});

describe('a queue over HTTP', () => {
  it('is paused and resumed', async () => {
    expect((await post('/queues/mails/pause')).body).toMatchObject({ changed: true });
    expect((await post('/queues/mails/pause')).body).toMatchObject({ changed: false });
    expect((await post('/queues/mails/resume')).body).toMatchObject({ changed: true });
  });
});

describe('dead letters over HTTP', () => {
  it('are replayed after a look at what is meant, page by page', async () => {
    for (const key of ['a', 'b', 'c']) await dead(key);
    await dead('d', 'other');
    const preview = await post('/dead-letters/replay', { job: 'mail', dryRun: true });
    expect(preview.body).toMatchObject({ dryRun: true, count: 3 });
    const first = await post('/dead-letters/replay', { job: 'mail', reason: 'the server is back', limit: 2 });
    expect(first.body).toMatchObject({ dryRun: false, replayed: [{ key: 'mail:a' }, { key: 'mail:b' }], leftAlone: 0 });
    const { nextCursor: cursor } = first.body;
    const second = await post('/dead-letters/replay', { job: 'mail', reason: 'x', limit: 2, cursor });
    expect(second.body).toMatchObject({ replayed: [{ key: 'mail:c' }], nextCursor: null });
    expect((await post('/dead-letters/replay', { queue: 'mails', reason: 'x', cursor })).status).toBe(400);
  });

  it('are acknowledged after a look at what is meant, page by page, and once for a key', async () => {
    for (const key of ['a', 'b', 'c']) await dead(key);
    await dead('d', 'other');
    const filter = { job: 'mail', queue: 'mails', finishedFrom: '2026-01-01T00:00:00Z' };
    const preview = await post('/dead-letters/acknowledge', { ...filter, dryRun: true });
    expect(preview.body).toMatchObject({ dryRun: true, count: 3 });
    const first = await post('/dead-letters/acknowledge', { ...filter, reason: 'known', limit: 2 }).set(
      'idempotency-key',
      'one',
    );
    expect(first.body).toMatchObject({ dryRun: false, acknowledged: ['mail:a', 'mail:b'], leftAlone: 0 });
    const again = await post('/dead-letters/acknowledge', { ...filter, reason: 'known', limit: 2 }).set(
      'idempotency-key',
      'one',
    );
    expect(again.body).toEqual(first.body);
    const { nextCursor: cursor } = first.body;
    const second = await post('/dead-letters/acknowledge', { ...filter, reason: 'known', cursor });
    expect(second.body).toEqual({ dryRun: false, acknowledged: ['mail:c'], leftAlone: 0, nextCursor: null });
    expect((await jobs.deadLetters()).items.map(({ key }) => key)).toEqual(['other:d']);
    expect((await jobs.audit({ action: 'acknowledge', actor: 'ann' })).items).toHaveLength(3);
    expect((await post('/dead-letters/acknowledge', { job: 'mail', reason: 'x', cursor })).status).toBe(400);
  });

  it.each(['replay', 'acknowledge'])('are never all meant by an empty filter: %s', async (action) => {
    await dead('a');
    for (const body of [{ reason: 'x' }, { dryRun: true }, { reason: 'x', limit: 10 }]) {
      const answer = await post(`/dead-letters/${action}`, body);
      expect(answer.body).toMatchObject({ status: 400, problems: [expect.stringContaining('the filter is empty')] });
    }
    expect((await jobs.deadLetters()).items).toHaveLength(1);
  });

  it.each(['replay', 'acknowledge'])('are not meant by a window whose end is null: %s', async (action) => {
    await dead('a');
    for (const end of ['finishedFrom', 'finishedTo']) {
      const answer = await post(`/dead-letters/${action}`, { job: 'mail', reason: 'x', [end]: null });
      expect(answer.body).toMatchObject({
        status: 400,
        problems: [expect.stringContaining(`${end} must be an instant`)],
      });
    }
    expect((await jobs.deadLetters()).items).toHaveLength(1);
  });

  it('are replayed only while they are still what the filter means', async () => {
    const [kept, acknowledged, gone] = [await dead('kept'), await dead('acknowledged'), await dead('gone')];
    await jobs.acknowledge(acknowledged, { actor: 'bob', reason: 'known' });
    await jobs.retry(gone, { actor: 'bob', reason: 'quicker' });
    const { body } = await post('/dead-letters/replay', {
      job: 'mail',
      reason: 'x',
      finishedFrom: '2026-01-01T00:00:00Z',
    });
    expect(body.replayed).toEqual([{ executionId: kept, key: 'mail:kept', runAt: expect.any(String) }]);
    const none = await post('/dead-letters/replay', {
      job: 'mail',
      reason: 'x',
      finishedTo: '2026-01-01T00:00:00+02:00',
    });
    expect(none.body).toMatchObject({ replayed: [], nextCursor: null });
  });
});
