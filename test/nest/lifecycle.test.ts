import { Injectable, Module, type INestApplication, type INestApplicationContext } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Cron, ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  BackgroundJob,
  currentRun,
  EngineEvents,
  JobHandlerDecorator,
  JobsClient,
  ScheduledJob,
  Scheduler,
  Worker,
  type JobHandler,
  type JobRun,
} from 'nestjs-scheduled-jobs';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule, nextEvent } from '../support/jobs-app.js';

const TIMEOUT_NAME = 'nestjs-scheduled-jobs';

let database: TestDatabase;
let app: INestApplication | undefined;
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app?.close();
  app = undefined;
});
afterAll(() => database.drop());

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

class Hourly {
  @ScheduledJob('0 * * * *', { name: 'hourly' })
  run(): void {}
}

function warningsOf(of: INestApplicationContext): readonly string[] {
  const warnings: string[] = [];
  of.get(EngineEvents).subscribe((event) => {
    if (event.type === 'configuration.warned') warnings.push(event.message);
  });
  return warnings;
}

describe('ticking', () => {
  it('has one timeout in the registry of the application, also after a second init, and none after close', async () => {
    app = await createApp(jobsModule({ url: database.url, providers: [Hourly], imports: [ScheduleModule.forRoot()] }));
    const registry = app.get(SchedulerRegistry);
    const ticked = nextEvent(app, 'schedule.ticked');
    await app.init();
    await app.init();
    app.get(Scheduler).start();
    await ticked;
    await expect.poll(() => registry.getTimeouts()).toEqual([TIMEOUT_NAME]);
    await app.close();
    app = undefined;
    expect(registry.getTimeouts()).toEqual([]);
  });

  it('works without ScheduleModule', async () => {
    app = await createApp(jobsModule({ url: database.url, providers: [Hourly] }));
    const ticked = nextEvent(app, 'schedule.ticked');
    await app.init();
    await ticked;
    expect(app.get(Scheduler).lastTickAt).toBeInstanceOf(Date);
    expect(app.get(Scheduler).sinceLastTickMs).toBeGreaterThanOrEqual(0);
  });

  it('leaves the cron jobs of the application as they are, each once', async () => {
    class Own {
      @Cron('0 0 1 1 *', { name: 'own' })
      run(): void {}
    }
    const imports = [ScheduleModule.forRoot()];
    app = await createApp(jobsModule({ url: database.url, providers: [Hourly, Own], imports }));
    await app.init();
    expect([...app.get(SchedulerRegistry).getCronJobs().keys()]).toEqual(['own']);
  });

  it('does not start in an application that is closed while it starts', async () => {
    const starting = deferred();
    const goOn = deferred();
    @Injectable()
    class Slow implements OnModuleInit {
      onModuleInit(): Promise<void> {
        starting.resolve();
        return goOn.promise;
      }
    }
    app = await createApp(jobsModule({ url: database.url, providers: [Hourly, Slow] }));
    const start = vi.spyOn(app.get(Scheduler), 'start');
    const initialized = app.init();
    await starting.promise;
    await app.close();
    goOn.resolve();
    await initialized;
    expect(start).not.toHaveBeenCalled();
    app = undefined;
  });

  it('tells how many schedules it has, and which period comes next', async () => {
    // Tomorrow, so that no hour can begin while the application starts.
    const startAt = new Date(Date.now() + 86_400_000);
    class Jobs {
      @ScheduledJob('0 0 1 1 *', { name: 'yearly', startAt })
      yearly(): void {}

      @ScheduledJob('0 * * * *', { name: 'off', disabled: true })
      off(): void {}

      @ScheduledJob('0 * * * *', { name: 'hourly', startAt })
      hourly(): void {}
    }
    app = await createApp(jobsModule({ url: database.url, providers: [Jobs] }));
    const [next] = app.get(JobsClient).preview('hourly', 1);
    const started = nextEvent(app, 'scheduler.started');
    await app.init();
    expect(await started).toMatchObject({ schedules: 2, nextAt: next?.scheduledFor });
  });

  it('does not happen when the module says so', async () => {
    app = await createApp(
      jobsModule({
        url: database.url,
        providers: [Hourly],
        imports: [ScheduleModule.forRoot()],
        jobs: { scheduler: false },
      }),
    );
    await app.listen(0, '127.0.0.1');
    expect(app.get(Scheduler).lastTickAt).toBeNull();
    expect(app.get(SchedulerRegistry).getTimeouts()).toEqual([]);
  });

  it('warns about an expression that probably means something else', async () => {
    class Often {
      @ScheduledJob('* */5 * * * *', { name: 'often' })
      run(): void {}
    }
    app = await createApp(jobsModule({ url: database.url, providers: [Often], jobs: { scheduler: false } }));
    const warnings = warningsOf(app);
    await app.init();
    expect(warnings).toEqual([expect.stringContaining('often: cron expression "* */5 * * * *" fires every second')]);
  });
});

describe('claiming', () => {
  it('waits until the HTTP server listens, after every module is ready', async () => {
    const order: string[] = [];
    @Injectable()
    class Slow implements OnApplicationBootstrap {
      async onApplicationBootstrap(): Promise<void> {
        await nextTurn();
        order.push('ready');
      }
    }
    @Module({ providers: [Slow] })
    class SlowModule {}
    @Injectable()
    class Early implements OnModuleInit {
      constructor(private readonly jobs: JobsClient) {}

      async onModuleInit(): Promise<void> {
        await this.jobs.enqueue('early');
      }

      @BackgroundJob({ name: 'early' })
      run(): void {
        order.push('ran');
      }
    }
    app = await createApp(
      jobsModule({
        url: database.url,
        providers: [Early],
        imports: [SlowModule],
        jobs: { worker: { pollInterval: '10ms' } },
      }),
    );
    const ended = nextEvent(app, 'execution.ended');
    void nextEvent(app, 'worker.started').then(() => order.push('claims'));
    await app.init();
    expect(order).toEqual(['ready']);
    await app.listen(0, '127.0.0.1');
    await ended;
    expect(order).toEqual(['ready', 'claims', 'ran']);
  });

  it('does not start by itself when the module has no worker', async () => {
    app = await createApp(jobsModule({ url: database.url, providers: [Hourly], jobs: { worker: false } }));
    await app.listen(0, '127.0.0.1');
    expect(app.get(Worker).id).toBeNull();
  });

  it('warns of a worker that has no jobs', async () => {
    app = await createApp(jobsModule({ url: database.url }));
    app.enableShutdownHooks(['SIGTERM']);
    const warnings = warningsOf(app);
    await app.listen(0, '127.0.0.1');
    expect(warnings).toEqual([expect.stringContaining('This worker has no jobs. Import the modules')]);
    expect(app.get(Worker).id).toBeNull();
  });

  it('warns when nothing handles SIGTERM, and when the pool is smaller than the worker', async () => {
    const root = jobsModule({
      url: database.url,
      providers: [Hourly],
      jobs: { scheduler: false },
      dataSource: { poolSize: 11 },
    });
    vi.spyOn(process, 'listenerCount').mockReturnValue(0);
    app = await createApp(root);
    const warnings = warningsOf(app);
    await app.listen(0, '127.0.0.1');
    expect(warnings).toEqual([
      expect.stringContaining('Nothing handles SIGTERM'),
      expect.stringMatching(/the data source has 11 connection\(s\).*"poolSize: 12" or more/),
    ]);
  });

  it('is silent about shutdown hooks that are enabled and a pool that is large enough', async () => {
    const dataSource = { poolSize: 12 };
    app = await createApp(
      jobsModule({ url: database.url, providers: [Hourly], jobs: { scheduler: false }, dataSource }),
    );
    app.enableShutdownHooks(['SIGTERM']);
    const warnings = warningsOf(app);
    await app.listen(0, '127.0.0.1');
    expect(warnings).toEqual([]);
  });
});

describe('closing the application', () => {
  const order: string[] = [];
  const started = deferred();
  const release = deferred();

  @Injectable()
  class Service implements OnModuleDestroy, OnApplicationShutdown {
    onModuleDestroy(): void {
      order.push('service destroyed');
    }

    onApplicationShutdown(): void {
      order.push('service shut down');
    }
  }

  @Module({ providers: [Service], exports: [Service] })
  class ServiceModule {}

  @Injectable()
  class Long implements OnModuleDestroy {
    constructor(readonly service: Service) {}

    onModuleDestroy(): void {
      order.push('provider destroyed');
    }

    @BackgroundJob({ name: 'long' })
    async run(run: JobRun<never>): Promise<void> {
      started.resolve();
      await release.promise;
      await run.transaction(async (manager) => manager.query('select 1'));
      order.push('handler done');
    }
  }

  it('drains while all services are alive', async () => {
    const schema = freshSchema();
    app = await createApp(
      jobsModule({
        url: database.url,
        providers: [Long],
        imports: [ServiceModule],
        jobs: { schema, scheduler: false },
      }),
    );
    await app.listen(0, '127.0.0.1');
    const { execution } = await app.get(JobsClient).enqueue('long');
    await started.promise;
    expect(app.get(Worker).runningCount).toBe(1);
    const draining = nextEvent(app, 'worker.draining');
    const closed = app.close();
    await draining;
    release.resolve();
    await closed;
    app = undefined;
    expect(order.slice(0, 1)).toEqual(['handler done']);
    expect(order).toContain('provider destroyed');

    const reader = await createApp(
      jobsModule({ url: database.url, jobs: { schema, scheduler: false, worker: false } }),
    );
    await reader.init();
    expect(await reader.get(JobsClient).get(execution?.executionId ?? '')).toMatchObject({ state: 'succeeded' });
    await reader.close();
  });

  it('drains although a tick that is going on gets no answer', async () => {
    app = await createApp(jobsModule({ url: database.url, providers: [Hourly] }));
    await app.init();
    const [drained, answered] = [deferred(), deferred()];
    vi.spyOn(app.get(Scheduler), 'stop').mockReturnValue(answered.promise);
    vi.spyOn(app.get(Worker), 'stop').mockImplementation(async () => drained.resolve());
    const closed = app.close();
    await expect(drained.promise).resolves.toBeUndefined();
    answered.resolve();
    await closed;
    app = undefined;
  });

  it('is safe twice, and before anything was started', async () => {
    const never = await createApp(jobsModule({ url: database.url }));
    await never.close();
    const twice = await createApp(jobsModule({ url: database.url, providers: [Hourly] }));
    await twice.listen(0, '127.0.0.1');
    const stopped = nextEvent(twice, 'worker.stopped');
    await Promise.all([twice.close(), twice.close()]);
    expect(await stopped).toMatchObject({ type: 'worker.stopped' });
  });
});

describe('handlers', () => {
  it('see their own run, side by side', async () => {
    const seen = new Map<string, string | undefined>();
    const both = deferred();
    class Parallel {
      @BackgroundJob({ name: 'parallel' })
      async run(run: JobRun<string>): Promise<void> {
        if (seen.size === 1) both.resolve();
        seen.set(run.executionId, undefined);
        await both.promise;
        await nextTurn();
        seen.set(run.executionId, currentRun()?.executionId);
      }
    }
    app = await createApp(jobsModule({ url: database.url, providers: [Parallel], jobs: { scheduler: false } }));
    await app.init();
    const jobs = app.get(JobsClient);
    await jobs.enqueueMany('parallel', [{ payload: 'a' }, { payload: 'b' }]);
    let ends = 0;
    const ended = nextEvent(app, 'execution.ended', () => ++ends === 2);
    app.get(Worker).start();
    await ended;
    for (const [own, current] of seen) expect(current).toBe(own);
    expect(seen.size).toBe(2);
    expect(currentRun()).toBeUndefined();
  });

  it('are wrapped by every decorator that a module provides', async () => {
    const calls: string[] = [];
    const wrap = (name: string) =>
      class extends JobHandlerDecorator {
        decorate(handler: JobHandler, jobName: string): JobHandler {
          return async (run) => {
            calls.push(`${name} ${jobName} ${run.key}`);
            return handler(run);
          };
        }
      };
    @Module({ providers: [{ provide: JobHandlerDecorator, useClass: wrap('tracing') }] })
    class TracingModule {}
    class Jobs {
      @BackgroundJob({ name: 'wrapped' })
      run(): number {
        calls.push('handler');
        return 7;
      }
    }
    app = await createApp(
      jobsModule({
        url: database.url,
        providers: [Jobs, { provide: JobHandlerDecorator, useClass: wrap('context') }],
        imports: [TracingModule],
        jobs: { scheduler: false },
      }),
    );
    await app.init();
    const ended = nextEvent(app, 'execution.ended');
    app.get(Worker).start();
    await app.get(JobsClient).enqueue('wrapped', null, { key: 'k' });
    await ended;
    expect(calls.toSorted()).toEqual(['context wrapped wrapped:k', 'handler', 'tracing wrapped wrapped:k']);
    expect(calls.at(-1)).toBe('handler');
    expect(await app.get(JobsClient).get('wrapped:k')).toMatchObject({ result: 7 });
  });
});
