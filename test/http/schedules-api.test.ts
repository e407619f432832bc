import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobsClient, ScheduledJob, Scheduler, type JobRun } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';

const HOUR_MS = 3_600_000;

class Reports {
  @ScheduledJob('0 * * * *', {
    name: 'hourly',
    timeZone: 'Asia/Shanghai',
    startAt: new Date(Date.now() - 3 * HOUR_MS),
  })
  hourly(_run: JobRun): void {}

  @ScheduledJob('0 6 * * *', { name: 'resting', timeZone: 'Europe/Berlin', disabled: true })
  resting(): void {}

  @ScheduledJob('0 6 1 * *', { name: 'by-quarter', period: (at) => `${at.getUTCFullYear()}-Q${at.getUTCMonth()}` })
  byQuarter(): void {}

  @ScheduledJob('0 0 * * *', {
    name: 'stuck',
    startAt: new Date(Date.now() - 48 * HOUR_MS),
    period: () => {
      throw new Error('no calendar today');
    },
  })
  stuck(): void {}
}

let database: TestDatabase;
let app: INestApplication;
const schema = freshSchema();

beforeAll(async () => {
  database = await createDatabase();
  const root = jobsModule({
    url: database.url,
    providers: [Reports],
    imports: [JobsHttpModule.forRoot({ access: 'host' })],
    jobs: { schema, scheduler: false },
  });
  app = await createApp(root);
  await app.init();
  await app.get(Scheduler).runOnce();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const get = (path: string) => request(app.getHttpServer()).get(`/scheduled-jobs/api${path}`);

describe('GET /schedules', () => {
  it('lists every schedule with its zone, cursor and fires, by name', async () => {
    await app.get(Scheduler).runOnce(); // an hour may have begun since the first tick
    const { body, status } = await get('/schedules');
    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.items.map((item: { jobName: string }) => item.jobName)).toEqual([
      'by-quarter',
      'hourly',
      'resting',
      'stuck',
    ]);
    const [, hourly] = body.items;
    expect(hourly).toMatchObject({ expression: '0 * * * *', timeZone: 'Asia/Shanghai', version: 1, disabled: false });
    expect(hourly).toMatchObject({ shape: expect.any(Object), behindMs: null });
    expect(hourly.description).toContain('Asia/Shanghai');
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    expect(hourly.previousAt).toBe(new Date(hour).toISOString());
    expect(hourly.nextAt).toBe(new Date(hour + HOUR_MS).toISOString());
    expect(new Date(hourly.cursorAt).getTime()).toBeGreaterThanOrEqual(hour);
    expect(hourly.last).toMatchObject({ scheduledFor: new Date(hour).toISOString() });
  });

  it('goes on behind a cursor, and refuses one of another list', async () => {
    const { body } = await get('/executions?limit=1');
    const { body: refusal, status } = await get(`/schedules?cursor=${body.nextCursor}`);
    expect([status, refusal.code]).toEqual([400, 'JOBS_INVALID_QUERY']);
  });

  it('shows no next fire of a disabled schedule', async () => {
    expect((await get('/schedules/resting')).body).toMatchObject({ disabled: true, nextAt: null });
  });

  it('shows who has paused a schedule, and no next fire until it is resumed', async () => {
    const jobs = app.get(JobsClient);
    await jobs.pause('hourly', { actor: 'anna', reason: 'maintenance' });
    const { body } = await get('/schedules/hourly');
    expect(body).toMatchObject({ nextAt: null, suspension: { kind: 'paused', actor: 'anna', reason: 'maintenance' } });
    expect(body.suspensions).toMatchObject([{ kind: 'paused', to: null, endedBy: null }]);
    expect(Date.parse(body.suspension.from)).toBeLessThanOrEqual(Date.now() + 60_000);
    await jobs.resume('hourly', { actor: 'bert', reason: 'done' });
    const { body: after } = await get('/schedules/hourly');
    expect(after).toMatchObject({ nextAt: expect.any(String), suspension: null });
    expect(after.suspensions).toMatchObject([{ actor: 'anna', to: expect.any(String), endedBy: 'bert' }]);
  });

  it('shows one schedule with its versions and skipped ranges', async () => {
    const { body } = await get('/schedules/hourly');
    expect(body).toMatchObject({
      versions: [{ version: 1, expression: '0 * * * *', timeZone: 'Asia/Shanghai' }],
      skippedRanges: [],
    });
  });

  it('shows why a schedule stands still whose function throws', async () => {
    const { body } = await get('/schedules/stuck');
    expect(body.lastError).toContain('no calendar today');
    expect(body).toMatchObject({ previousAt: null, nextAt: null });
  });
});

describe('schedules of jobs that this process does not have', () => {
  it('have fires too', async () => {
    const root = jobsModule({
      url: database.url,
      imports: [JobsHttpModule.forRoot({ access: 'host' })],
      jobs: { schema, migrations: 'check' },
    });
    const other = await createApp(root);
    await other.init();
    const { body } = await request(other.getHttpServer()).get('/scheduled-jobs/api/schedules');
    const { body: one } = await request(other.getHttpServer()).get('/scheduled-jobs/api/schedules/hourly');
    await other.close();
    const nexts = body.items.map((item: { nextAt: string | null }) => item.nextAt);
    expect(nexts).toHaveLength(4);
    for (const nextAt of [nexts[0], nexts[1], nexts[3]]) expect(Date.parse(nextAt)).toBeGreaterThan(Date.now());
    expect(one.description).toContain('Asia/Shanghai');
    expect(Date.parse(one.nextAt)).toBeGreaterThan(Date.now());
  });
});
