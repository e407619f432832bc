import { Injectable, Module, type CanActivate, type DynamicModule, type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, InvalidOptionsError, JobsClient } from 'nestjs-scheduled-jobs';
import {
  JobsHealth,
  JobsMetrics,
  JobsObservabilityModule,
  ProbeServer,
  type ObservabilityParts,
} from 'nestjs-scheduled-jobs/observability';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';

class Mill {
  @BackgroundJob({ name: 'grind', queue: 'mill' })
  async grind(): Promise<void> {}
}

@Injectable()
class Settings {
  readonly parts: ObservabilityParts = {
    metrics: true,
    health: { backlogAge: '2h' },
    listen: { port: 0, metrics: true },
    tracing: true,
  };
}

@Module({ providers: [Settings], exports: [Settings] })
class SettingsModule {}

@Injectable()
class ScraperGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

let database: TestDatabase;
let app: INestApplication | undefined;

beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  await app?.close();
  app = undefined;
});
afterAll(() => database.drop());

async function start(observability: DynamicModule) {
  const jobs = { scheduler: false, worker: false } as const;
  app = await createApp(jobsModule({ url: database.url, providers: [Mill], imports: [observability], jobs }));
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

const fromSettings = {
  imports: [SettingsModule],
  inject: [Settings],
  useFactory: ({ parts }: Settings) => parts,
};

describe('JobsObservabilityModule.forRootAsync', () => {
  it('takes from a factory all that is no structure', async () => {
    const routes = { guards: [ScraperGuard] };
    const { app, url } = await start(JobsObservabilityModule.forRootAsync({ ...fromSettings, routes }));
    await app.get(JobsClient).enqueue('grind', null, { runAt: new Date(Date.now() - 3_600_000) });
    await request(url).get('/health/ready').expect(200);
    const { text } = await request(url).get('/metrics').expect(200);
    expect(text).toContain('scheduled_jobs_ledger_up 1');
    await request(`http://127.0.0.1:${app.get(ProbeServer).port}`)
      .get('/metrics')
      .expect(200);
    const { reasons } = await app.get(JobsHealth).ready();
    expect(reasons.map(({ kind }) => kind)).toEqual(['no-worker']);
  });

  it('closes the metrics without guards, and has no routes unless they are asked for', async () => {
    const closed = await start(JobsObservabilityModule.forRootAsync({ ...fromSettings, routes: true }));
    const { text } = await request(closed.url).get('/metrics').expect(403);
    expect(text).toContain("access: 'host'");
    await closed.app.close();
    const without = await start(JobsObservabilityModule.forRootAsync(fromSettings));
    await request(without.url).get('/health/live').expect(404);
    await request(without.url).get('/metrics').expect(404);
  });

  it('has parts that do nothing where the factory leaves them out', async () => {
    const routes = { access: 'host' } as const;
    const { app, url } = await start(JobsObservabilityModule.forRootAsync({ useFactory: () => ({}), routes }));
    expect(app.get(JobsMetrics)).toBeNull();
    expect(app.get(ProbeServer).port).toBeNull();
    await request(url).get('/health/live').expect(200);
    expect((await request(url).get('/metrics').expect(404)).text).toContain('the option \\"metrics\\" is off');
    await app.get(JobsClient).enqueue('grind');
  });

  it('tells every mistake: of the routes at once, of the rest when the application starts', async () => {
    const routes = { guards: [ScraperGuard], access: 'host', probes: 'a b' } as const;
    const forRootAsync = () => JobsObservabilityModule.forRootAsync({ useFactory: () => ({}), routes });
    expect(forRootAsync).toThrow(InvalidOptionsError);
    expect(forRootAsync).toThrow(/routes\.access cannot be combined/);
    expect(forRootAsync).toThrow(/routes\.probes must be a path/);
    const parts = { routes: true, health: { backlogAge: '0s' }, listen: { port: 0, metrics: true } };
    const wrong = JobsObservabilityModule.forRootAsync({ useFactory: () => parts as ObservabilityParts });
    const problem = await start(wrong).catch(String);
    expect(problem).toContain('routes belongs beside "useFactory", not into what the factory returns');
    expect(problem).toContain('health.backlogAge must be a duration between 1s and 30d');
    expect(problem).toContain('there are no metrics');
  });
});
