import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, EngineEvents, JobsClient, Worker } from 'nestjs-scheduled-jobs';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

class Jobs {
  @BackgroundJob({ name: 'quick' })
  run(): void {}
}

describe('A worker whose connection needs a function', () => {
  let database: TestDatabase;
  let app: INestApplicationContext;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterEach(() => app.close());
  afterAll(() => database.drop());

  it('warns that its event loop alone renews leases, and works', async () => {
    const { hostname: host, port, username, password, pathname } = new URL(database.url);
    const dataSource = {
      url: undefined,
      host,
      port: Number(port),
      username: decodeURIComponent(username),
      password: () => decodeURIComponent(password),
      database: pathname.slice(1),
      poolSize: 12,
    };
    app = await createApp(jobsModule({ url: database.url, providers: [Jobs], dataSource, jobs: { worker: false } }));
    await app.init();
    const warnings: string[] = [];
    app.get(EngineEvents).subscribe((event) => {
      if (event.type === 'configuration.warned') warnings.push(event.message);
    });
    app.get(Worker).start();
    expect(warnings).toEqual([
      expect.stringContaining('The connection options "password" hold functions or objects that cannot be handed'),
    ]);
    const ended = nextEvent(app, 'execution.ended');
    await app.get(JobsClient).enqueue('quick');
    expect(await ended).toMatchObject({ state: 'succeeded' });
  });
});
