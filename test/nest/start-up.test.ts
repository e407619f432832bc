import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getDataSourceToken, TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  BackgroundJob,
  DuplicateJobError,
  InvalidOptionsError,
  JobsClient,
  ScheduledJob,
  ScheduledJobsModule,
  SchemaVersionError,
  migrate,
  type ScheduledJobsOptions,
} from 'nestjs-scheduled-jobs';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';

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

const typeOrm = () =>
  TypeOrmModule.forRoot({ type: 'postgres', url: database.url, retryAttempts: 0 } satisfies TypeOrmModuleOptions);

async function startWith(providers: readonly (new () => object)[], jobs: ScheduledJobsOptions = {}): Promise<void> {
  app = await createApp(jobsModule({ url: database.url, providers, jobs }));
  await app.init();
}

const problemsOf = async (start: Promise<unknown>): Promise<readonly string[]> => {
  const error: unknown = await start.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidOptionsError);
  return (error as InvalidOptionsError).problems;
};

describe('mistakes in decorators', () => {
  it('are reported together, with job, class and method', async () => {
    class First {
      @ScheduledJob(undefined as unknown as string, { name: 'no-cron' })
      missing(): void {}

      @ScheduledJob('61 * * * *', { name: 'bad-cron', timeZone: 'Mars/Phobos' })
      wrong(): void {}

      @ScheduledJob('0 0 31 2 *', { name: 'never' })
      never(): void {}
    }
    class Second {
      @BackgroundJob({ name: 'a:b' })
      colon(): void {}

      @BackgroundJob({ name: 'twin', retry: { maxAttempts: Number.NaN } })
      twin(): void {}

      @BackgroundJob({ name: 'TWIN', timeout: '-5s' })
      otherTwin(): void {}

      @ScheduledJob('@daily', { name: 'from-cron', waitForCompletion: true } as never)
      options(): void {}

      @BackgroundJob({} as never)
      nameless(): void {}

      @BackgroundJob(undefined as never)
      withoutOptions(): void {}
    }
    const problems = (await problemsOf(startWith([First, Second]))).join('\n');
    for (const text of [
      'First.missing (@ScheduledJob "no-cron"): cron must be a cron expression',
      'First.wrong (@ScheduledJob "bad-cron"): cron expression "61 * * * *"',
      'Mars/Phobos',
      'First.never (@ScheduledJob "never")',
      'Second.colon (@BackgroundJob "a:b"): name must be',
      'Second.twin (@BackgroundJob "twin"): retry.maxAttempts must be',
      'Second.otherTwin (@BackgroundJob "TWIN"): timeout must be',
      "overlap: 'queue'",
      'Second.nameless (@BackgroundJob ""): name is required',
      'Second.withoutOptions (@BackgroundJob ""): name is required',
      'The job name "twin" is used by Second.twin',
    ]) {
      expect(problems).toContain(text);
    }
  });

  it('need a zone, of the job or of the module', async () => {
    class Reports {
      @ScheduledJob('@daily', { name: 'daily' })
      daily(): void {}
    }
    const [problem] = await problemsOf(startWith([Reports], { timeZone: undefined as never }));
    expect(problem).toContain('Reports.daily (@ScheduledJob "daily"): timeZone is required');
  });

  it('name both places of one job name', async () => {
    class A {
      @BackgroundJob({ name: 'run' })
      run(): void {}
    }
    class B {
      @BackgroundJob({ name: 'run' })
      run(): void {}
    }
    const start = startWith([A, B]);
    await expect(start).rejects.toThrow(DuplicateJobError);
    await expect(start).rejects.toThrow(/A\.run .*and B\.run/);
  });
});

describe('the options of the module', () => {
  it('are refused all at once', async () => {
    const options = {
      scheduler: 'yes',
      worker: {
        concurrency: Number.NaN,
        pollInterval: '-1s',
        shutdownTimeout: 'Infinitys',
        queue: ['a'],
        queues: ['a b'],
      },
      timezone: 'UTC',
      schema: 'Robert"; drop table',
      migrations: 'auto',
      listenUrl: 'mysql://secret@host',
      jobs: { daily: 5, other: { name: 'x' } },
      queues: { 'a b': {}, mail: { rate: 50 } },
      release: -4,
    };
    const problems = await problemsOf(startWith([], options as never));
    expect(problems.map((problem) => problem.replace('ScheduledJobsModule.', '').split(' ')[0])).toEqual([
      'timezone',
      'scheduler',
      'worker.queue',
      'worker.concurrency',
      'worker.queues',
      'worker.pollInterval',
      'worker.shutdownTimeout',
      'schema',
      'migrations',
      'listenUrl',
      'release',
      'queues',
      'queues.mail.rate',
      'jobs.daily',
      'jobs.other.name',
    ]);
    const text = problems.join('\n');
    expect(text).toContain('Did you mean "timeZone"?');
    expect(text).toContain('such as "50/s"');
    expect(text).not.toContain('secret');
  });

  it('come from a factory, overrides of jobs included', async () => {
    @Injectable()
    class Settings {
      readonly cron = '30 4 * * *';
    }
    @Module({ providers: [Settings], exports: [Settings] })
    class SettingsModule {}
    class Reports {
      @ScheduledJob('@daily', { name: 'daily' })
      daily(): void {}
    }
    app = await createApp({
      module: class Root {},
      imports: [
        typeOrm(),
        ScheduledJobsModule.forRootAsync({
          imports: [SettingsModule],
          inject: [Settings],
          useFactory: async (settings: Settings) => ({
            schema: freshSchema(),
            migrations: 'run' as const,
            jobs: { daily: { cron: settings.cron, timeZone: 'Asia/Tokyo' } },
          }),
        }),
      ],
      providers: [Reports],
    });
    await app.init();
    const [next] = app.get(JobsClient).preview('daily', 1);
    expect(next?.scheduledFor.toISOString()).toContain('T19:30:00.000Z');
  });

  it('refuse overrides of jobs that do not exist', async () => {
    class Reports {
      @ScheduledJob('@daily', { name: 'daily' })
      daily(): void {}
    }
    const [problem] = await problemsOf(startWith([Reports], { jobs: { dayly: { timeout: '5m' } } }));
    expect(problem).toContain('jobs.dayly: there is no job of this name. Did you mean "daily"?');
  });

  it('keep structure out of the factory', async () => {
    const start = NestFactory.createApplicationContext(
      {
        module: class Root {},
        imports: [
          typeOrm(),
          ScheduledJobsModule.forRootAsync({ useFactory: () => ({ dataSource: 'other' }) as ScheduledJobsOptions }),
        ],
      },
      { logger: false, abortOnError: false },
    );
    expect((await problemsOf(start))[0]).toContain('dataSource belongs beside "useFactory"');
  });
});

describe('ScheduledJobsModule', () => {
  it('is refused when only its bare class is imported', async () => {
    const root = { module: class Root {}, imports: [typeOrm(), ScheduledJobsModule] };
    expect((await problemsOf(createApp(root)))[0]).toContain('Use ScheduledJobsModule.forRoot()');
  });

  it('may be imported as a bare class beside its forRoot()', async () => {
    const jobs = ScheduledJobsModule.forRoot({ schema: freshSchema(), migrations: 'run' });
    @Module({ imports: [ScheduledJobsModule] })
    class Feature {}
    app = await createApp({ module: class Root {}, imports: [Feature, typeOrm(), jobs] });
    await app.init();
    expect(app.get(JobsClient)).toBeInstanceOf(JobsClient);
  });

  it('is refused when it is imported twice', async () => {
    const root = {
      module: class Root {},
      imports: [typeOrm(), ScheduledJobsModule.forRoot(), ScheduledJobsModule.forRoot()],
    };
    const [problem] = await problemsOf(createApp(root));
    expect(problem).toContain('imported 2 times. Import it once');
  });

  it('may be the same import in several modules', async () => {
    const jobs = ScheduledJobsModule.forRoot({ schema: freshSchema(), migrations: 'run' });
    @Module({ imports: [jobs] })
    class Feature {}
    app = await createApp({ module: class Root {}, imports: [typeOrm(), jobs, Feature] });
    await app.init();
    expect(app.get(JobsClient)).toBeInstanceOf(JobsClient);
  });

  it('says which data source is missing', async () => {
    const none = createApp({ module: class Root {}, imports: [ScheduledJobsModule.forRoot()] });
    expect((await problemsOf(none))[0]).toContain('There is no data source "default". Import TypeOrmModule.forRoot()');
    const other = createApp({
      module: class Root {},
      imports: [typeOrm(), ScheduledJobsModule.forRoot({ dataSource: 'ledger' })],
    });
    expect((await problemsOf(other))[0]).toContain('There is no data source "ledger"');
  });

  it.each(['ledger', Symbol.for('test/ledger')])('uses the data source it is given as %s', async (dataSource) => {
    @Module({
      providers: [{ provide: Symbol.for('test/ledger'), useExisting: getDataSourceToken('ledger') }],
      exports: [Symbol.for('test/ledger')],
    })
    class LedgerModule {}
    app = await createApp({
      module: class Root {},
      imports: [
        TypeOrmModule.forRoot({ name: 'ledger', type: 'postgres', url: database.url, retryAttempts: 0 }),
        ScheduledJobsModule.forRootAsync({
          imports: [LedgerModule],
          dataSource,
          useFactory: () => ({ schema: freshSchema(), migrations: 'run' as const }),
        }),
      ],
    });
    await app.init();
    expect(await app.get(JobsClient).find()).toEqual({ items: [], nextCursor: null });
  });

  it('refuses to start on a schema that is not there, unless it may migrate', async () => {
    const schema = freshSchema();
    const start = startWith([], { schema, migrations: 'check' });
    await expect(start).rejects.toThrow(SchemaVersionError);
    await expect(start).rejects.toThrow(`no schema "${schema}"`);
    await startWith([], { schema, migrations: 'run' });
  });

  it('starts on a schema that was migrated before', async () => {
    const schema = freshSchema();
    app = await createApp(jobsModule({ url: database.url, jobs: { schema, migrations: 'check' } }));
    await migrate(app.get(getDataSourceToken()), { schema });
    await app.init();
    expect(await app.get(JobsClient).find()).toEqual({ items: [], nextCursor: null });
  });
});
