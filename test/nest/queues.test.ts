import {
  BackgroundJob,
  EngineEvents,
  InvalidRequestError,
  JobsClient,
  Worker,
  type EngineEvent,
  type ScheduledJobsOptions,
} from 'nestjs-scheduled-jobs';
import type { INestApplication } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/engine.js';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';

class Mails {
  @BackgroundJob({ name: 'mail', queue: 'mail' })
  mail(): void {}

  @BackgroundJob({ name: 'other' })
  other(): void {}
}

let database: TestDatabase;
const apps: INestApplication[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => database.drop());

async function start(jobs: ScheduledJobsOptions = {}) {
  const app = await createApp(
    jobsModule({ url: database.url, providers: [Mails], jobs: { schema: freshSchema(), scheduler: false, ...jobs } }),
  );
  apps.push(app);
  const warnings: string[] = [];
  app.get(EngineEvents).subscribe((event: EngineEvent) => {
    if (event.type === 'configuration.warned') warnings.push(event.message);
  });
  await app.init();
  return { app, client: app.get(JobsClient), warnings };
}
const reason = 'maintenance';

describe('queues', () => {
  it('shows the limits of the options; the newest start that names a queue sets them', async () => {
    const schema = freshSchema();
    const { client } = await start({
      schema,
      queues: { mail: { concurrency: 4, rate: '100/m', burst: 10, breaker: true } },
    });
    const mail = async () => (await client.queues()).find(({ name }) => name === 'mail');
    expect(await mail()).toEqual({
      name: 'mail',
      concurrency: 4,
      rate: '100/m',
      burst: 10,
      pause: null,
      breaker: { state: 'closed', openUntil: null, calls: 0, failures: 0 },
      ready: 0,
      running: 0,
      oldestReadyMs: null,
    });
    await start({ schema });
    expect(await mail()).toMatchObject({ concurrency: 4 });
    await start({ schema, queues: { mail: {} } });
    expect(await mail()).toMatchObject({ concurrency: null, rate: null, burst: null, breaker: null });
    expect((await client.queues()).map(({ name }) => name)).toEqual(['default', 'mail']);
  });

  it('warns of names that no job uses, in limits and of workers', async () => {
    const { warnings } = await start({
      queues: { mails: { concurrency: 1 } },
      worker: { queues: ['mail', 'defualt'] },
    });
    expect(warnings).toEqual([
      'worker.queues names "defualt", which no job of this application uses. Did you mean "default"?',
      'queues names "mails", which no job of this application uses. Did you mean "mail"?',
    ]);
  });
});

describe('pauseQueue', () => {
  it('keeps executions of the queue until resumeQueue, and those of no other', async () => {
    const { app, client } = await start();
    expect(await client.pauseQueue('mail', { actor: 'ann', reason })).toEqual({ changed: true, at: expect.any(Date) });
    app.get(Worker).start();
    const succeeded = (key: string) => eventually(async () => (await client.get(key))?.state === 'succeeded');
    await client.enqueue('mail', null, { key: 'waits' });
    await client.enqueue('other', null, { key: 'runs' });
    await succeeded('other:runs');
    expect((await client.get('mail:waits'))?.state).toBe('pending');
    expect((await client.queues())[1]).toMatchObject({ name: 'mail', ready: 1, pause: { actor: 'ann', reason } });
    expect(await client.resumeQueue('mail', { reason })).toMatchObject({ changed: true });
    await succeeded('mail:waits');
    expect(await client.resumeQueue('mail', { reason })).toMatchObject({ changed: false });
  });

  it('refuses queues that nothing uses, and requests without a reason', async () => {
    const { client } = await start({ queues: { reserved: {} } });
    await expect(client.pauseQueue('mails', { reason })).rejects.toThrow(InvalidRequestError);
    await expect(client.pauseQueue('mails', { reason })).rejects.toThrow('Did you mean "mail"?');
    await expect(client.resumeQueue(5 as never, { reason })).rejects.toThrow(InvalidRequestError);
    await expect(client.pauseQueue('mail', {} as never)).rejects.toThrow('reason is required');
    expect(await client.pauseQueue('reserved', { reason })).toMatchObject({ changed: true });
  });
});
