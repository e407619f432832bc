import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, Worker, type JobRun } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

const SECRET = 'hunter2';
const PAYLOAD = {
  to: 'a@example.org',
  password: SECRET,
  deep: { deeper: [{ deepest: { a: { b: { c: { apiKey: SECRET, n: 1 } } } } }] },
  many: Array.from({ length: 300 }, (_, n) => n),
  target: `postgres://app:${SECRET}@db/app`,
};

class Mail {
  @BackgroundJob({ name: 'mail' })
  mail(run: JobRun): object {
    run.log.info(`with password=${SECRET}`, { token: SECRET });
    return { cookie: `sid=${SECRET}`, sent: 1 };
  }

  @BackgroundJob({ name: 'broken' })
  broken(): void {
    const cause = Object.assign(new Error(`Authorization: Basic ${SECRET}`), { status: 400 });
    throw new Error(`cannot reach postgres://app:${SECRET}@db`, { cause });
  }
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe.each([false, true])('the REST API with showStacks %s', (showStacks) => {
  let app: INestApplication;
  const ids = { mail: '', broken: '' };
  const get = async (path: string) => {
    const { body, text } = await request(app.getHttpServer()).get(`/scheduled-jobs/api/executions/${path}`);
    return { body: body as Record<string, never>, text };
  };

  beforeAll(async () => {
    const http = JobsHttpModule.forRoot({ access: 'host', showStacks });
    app = await createApp(jobsModule({ url: database.url, providers: [Mail], imports: [http] }));
    await app.init();
    const jobs = app.get(JobsClient);
    const ended = (['mail', 'broken'] as const).map(async (job) => {
      const end = nextEvent(app, 'execution.ended', (event) => (event as { job?: string }).job === job);
      ids[job] = (await jobs.enqueue(job, PAYLOAD)).execution?.executionId ?? '';
      await end;
    });
    app.get(Worker).start();
    await Promise.all(ended);
  });
  afterAll(() => app.close());

  it('shows payload and result without their secrets', async () => {
    const { body, text } = await get(ids.mail);
    expect(text).not.toContain(SECRET);
    expect(body['payload']).toEqual({
      ...PAYLOAD,
      password: '[redacted]',
      deep: { deeper: [{ deepest: { a: { b: { c: { apiKey: '[redacted]', n: 1 } } } } }] },
      target: 'postgres://app:[redacted]@db/app',
    });
    expect(body['result']).toEqual({ cookie: '[redacted]', sent: 1 });
  });

  it('shows log lines and errors without secrets', async () => {
    for (const path of [`${ids.mail}/logs`, ids.broken, `${ids.broken}/attempts`, `${ids.broken}/why`]) {
      expect((await get(path)).text, path).not.toContain(SECRET);
    }
    expect((await get(ids.broken)).body).toMatchObject({ state: 'failed', attempts: 1, errorKind: 'permanent' });
  });

  it('leaves the application what it stored itself', async () => {
    expect((await app.get(JobsClient).get(ids.mail))?.payload).toEqual(PAYLOAD);
  });

  it(`shows stacks: ${showStacks}`, async () => {
    for (const path of [ids.broken, `${ids.broken}/attempts`]) {
      expect((await get(path)).text.includes('secrets-api.test'), path).toBe(showStacks);
    }
  });
});
