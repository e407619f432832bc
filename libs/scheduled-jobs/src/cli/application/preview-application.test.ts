import { Controller, Injectable, Module, Scope, type DynamicModule, type Provider } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { describe, expect, it } from 'vitest';
import { BackgroundJob } from '../../nest/jobs/background-job.decorator.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import { ScheduledJob } from '../../nest/jobs/scheduled-job.decorator.js';
import { ScheduledJobsModule } from '../../nest/scheduled-jobs.module.js';
import { LineLogger } from '../output/line-logger.js';
import { previewApplication } from './preview-application.js';

const refuse = (): never => {
  throw new Error('something was made');
};

@Injectable()
class Reports {
  constructor(_jobs: JobsClient) {
    refuse();
  }

  @ScheduledJob('0 6 * * *', { name: 'report' })
  write(): void {}
}

@Injectable()
class Exports {
  @BackgroundJob({ name: 'export' })
  make(): void {}
}

/** Tests share a process, and others decorate classes, too. */
const OWN_PLACES = ['Reports.write', 'Exports.make'];

async function preview(imports: readonly DynamicModule[], providers: readonly Provider[] = [Reports]) {
  class AppModule {}
  const dataSource = TypeOrmModule.forRoot({ type: 'postgres', url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const root = { module: AppModule, imports: [dataSource, ...imports], providers: [...providers] };
  const found = await previewApplication(root, new LineLogger(() => undefined));
  return { ...found, unprovided: found.unprovided.filter((place) => OWN_PLACES.includes(place)) };
}

describe('previewApplication', () => {
  it('reads jobs and options without making anything', async () => {
    const jobs = { report: { cron: '0 7 * * *' } };
    const forRoot = ScheduledJobsModule.forRoot({ timeZone: 'Asia/Shanghai', schema: 'ours', jobs });
    const { declared, ...rest } = await preview([forRoot], [Reports, { provide: 'token', useClass: Exports }]);
    expect(declared).toMatchObject([
      { kind: 'scheduled', place: 'Reports.write', cron: '0 6 * * *', options: { name: 'report' }, problems: [] },
      { kind: 'background', place: 'Exports.make', options: { name: 'export' }, problems: [] },
    ]);
    expect(rest).toEqual({
      defaults: { timeZone: 'Asia/Shanghai', overrides: jobs },
      schema: 'ours',
      areMadeLater: false,
      problems: [],
      unprovided: [],
    });
  });

  it('names decorated methods whose class no module provides, unless a class that is provided extends it', async () => {
    const { declared, unprovided } = await preview([ScheduledJobsModule.forRoot({ timeZone: 'UTC' })], [Reports]);
    expect([declared.length, unprovided]).toEqual([1, ['Exports.make']]);
    class Own extends Exports {}
    expect((await preview([ScheduledJobsModule.forRoot()], [Own])).unprovided).toEqual(['Reports.write']);
  });

  it('finds a class that two modules provide twice, and not again where another token stands for it', async () => {
    @Module({ providers: [Exports] })
    class FeatureModule {}
    const providers = [
      Exports,
      { provide: 'alias', useExisting: Exports },
      { provide: 'value', useValue: new Exports() },
    ];
    const { declared } = await preview([ScheduledJobsModule.forRoot(), { module: FeatureModule }], providers);
    expect(declared.map(({ place }) => place).toSorted()).toEqual([
      'Exports.make in AppModule',
      'Exports.make in AppModule',
      'Exports.make in FeatureModule',
    ]);
  });

  it('finds jobs of controllers and of providers that are made for each run', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRun extends Exports {}
    @Controller()
    class Orders {
      @ScheduledJob('0 6 * * *', { name: 'orders' })
      sync(): void {}
    }
    @Module({ controllers: [Orders] })
    class OrdersModule {}
    const { declared } = await preview([ScheduledJobsModule.forRoot(), { module: OrdersModule }], [PerRun]);
    expect(declared.map(({ place }) => place)).toEqual(['PerRun.make', 'Orders.sync']);
  });

  it('does not call a factory of options', async () => {
    expect(await preview([ScheduledJobsModule.forRootAsync({ useFactory: refuse })])).toMatchObject({
      defaults: { timeZone: null, overrides: {} },
      schema: null,
      areMadeLater: true,
      problems: [],
    });
  });

  it('tells what is wrong with the options, and keeps the zone for the jobs', async () => {
    const wrong = ScheduledJobsModule.forRoot({ timeZone: 'UTC', schema: 'Ours', tick: 1 } as never);
    expect(await preview([wrong])).toMatchObject({
      defaults: { timeZone: 'UTC' },
      problems: [expect.stringContaining('tick is not an option'), expect.stringContaining('schema must be')],
    });
  });

  it('tells of a module that is missing or imported twice', async () => {
    expect((await preview([], [Exports])).problems).toEqual([
      'This application does not import ScheduledJobsModule.forRoot(). Import it in the root module.',
    ]);
    const twice = [ScheduledJobsModule.forRoot(), ScheduledJobsModule.forRoot({ schema: 'other' })];
    expect((await preview(twice)).problems).toEqual([expect.stringContaining('is imported 2 times')]);
  });

  it('fails with what Nest says about a dependency that nobody provides', async () => {
    await expect(preview([])).rejects.toThrow(/can't resolve dependencies of the Reports \(\?\)/);
  });
});
