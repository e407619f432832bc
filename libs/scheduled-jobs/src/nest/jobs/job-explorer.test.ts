import { Controller, Inject, Injectable, Module, Scope, type INestApplicationContext, type Type } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import { DiscoveryModule, NestFactory, REQUEST } from '@nestjs/core';
import { Cron, Interval, Timeout } from '@nestjs/schedule';
import { afterEach, describe, expect, it } from 'vitest';
import { DuplicateJobError } from '../../core/errors.js';
import { resolveJobs } from '../../core/job/resolve-jobs.js';
import { BackgroundJob } from './background-job.decorator.js';
import { ScheduledJob } from './scheduled-job.decorator.js';
import { JobExplorer, type DiscoveredJob } from './job-explorer.js';
import type { JobRun } from './job-run.js';

let context: INestApplicationContext | undefined;
afterEach(() => context?.close());

interface Root {
  readonly providers?: readonly Provider[];
  readonly controllers?: readonly Type[];
  readonly imports?: readonly (Type | DynamicModule)[];
}

async function discover({ providers = [], controllers = [], imports = [] }: Root): Promise<readonly DiscoveredJob[]> {
  class RootModule {}
  const root: DynamicModule = {
    module: RootModule,
    imports: [DiscoveryModule, ...imports],
    providers: [JobExplorer, ...providers],
    controllers: [...controllers],
  };
  context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  return context.get(JobExplorer).explore();
}

const run = (executionId: string): JobRun<never> => ({ executionId }) as JobRun<never>;
const placesOf = (jobs: readonly DiscoveredJob[]): readonly string[] => jobs.map(({ place }) => place);

class Mail {
  private readonly prefix = 'sent ';

  @BackgroundJob({ name: 'mail' })
  send({ executionId }: JobRun<never>): string {
    return this.prefix + executionId;
  }
}

describe('JobExplorer', () => {
  it('finds timers of @nestjs/schedule that were left on a method, above or below the job', async () => {
    class Left {
      @Cron('0 6 * * *')
      @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'UTC' })
      daily(): void {}

      @BackgroundJob({ name: 'often' })
      @Interval(1_000)
      often(): void {}

      @BackgroundJob({ name: 'once' })
      @Timeout(1_000)
      once(): void {}

      @Cron('0 7 * * *')
      other(): void {}

      @BackgroundJob({ name: 'clean' })
      clean(): void {}
    }
    @Injectable({ scope: Scope.REQUEST })
    class LeftPerRequest extends Left {}
    for (const provider of [Left, LeftPerRequest]) {
      const jobs = await discover({ providers: [provider] });
      expect(jobs.map(({ problems = [] }) => problems.join())).toEqual([
        expect.stringMatching(/the method also carries @Cron of @nestjs\/schedule.*Remove that/),
        expect.stringContaining('the method also carries @Interval'),
        expect.stringContaining('the method also carries @Timeout'),
        '',
      ]);
      expect(() => resolveJobs(jobs, { timeZone: null, overrides: {} })).toThrow(
        `${provider.name}.daily (@ScheduledJob "daily"): the method also carries @Cron`,
      );
      await context?.close();
    }
  });

  it('finds methods of class, value and factory providers and of controllers', async () => {
    class ByValue {
      @BackgroundJob({ name: 'by-value' })
      run(): void {}
    }
    class ByFactory {
      @BackgroundJob({ name: 'by-factory' })
      run(): void {}
    }
    @Controller()
    class ByController {
      @BackgroundJob({ name: 'by-controller' })
      run(): void {}
    }
    const jobs = await discover({
      providers: [
        Mail,
        { provide: 'VALUE', useValue: new ByValue() },
        { provide: 'FACTORY', useFactory: async () => new ByFactory() },
        { provide: 'TEXT', useValue: 'text' },
        { provide: 'NOTHING', useValue: null },
        { provide: 'BARE', useValue: Object.create(null) as object },
      ],
      controllers: [ByController],
    });
    expect(placesOf(jobs)).toEqual(['Mail.send', 'ByValue.run', 'ByFactory.run', 'ByController.run']);
    await expect(jobs[0]?.handler(run('7'))).resolves.toBe('sent 7');
  });

  it('counts an instance once, however many tokens it has', async () => {
    const jobs = await discover({
      providers: [
        Mail,
        { provide: 'ALIAS', useExisting: Mail },
        { provide: 'SAME', useFactory: (mail: Mail) => mail, inject: [Mail] },
      ],
    });
    expect(placesOf(jobs)).toEqual(['Mail.send']);
  });

  it('names both modules of a class that is provided twice', async () => {
    @Module({ providers: [Mail] })
    class North {}
    @Module({ providers: [Mail] })
    class South {}
    const jobs = await discover({ imports: [North, South] });
    expect(placesOf(jobs)).toEqual(['Mail.send in North', 'Mail.send in South']);
    const resolve = () => resolveJobs(jobs, { timeZone: null, overrides: {} });
    expect(resolve).toThrow(DuplicateJobError);
    expect(resolve).toThrow(/Mail\.send in North .*and Mail\.send in South/);
  });

  it('names both places when a base class is decorated and two subclasses are provided', async () => {
    class Dear extends Mail {}
    class Curt extends Mail {}
    const jobs = await discover({ providers: [Dear, Curt] });
    expect(() => resolveJobs(jobs, { timeZone: null, overrides: {} })).toThrow(/Dear\.send .*and Curt\.send/);
  });

  it('calls the override of an inherited job', async () => {
    class Curt extends Mail {
      override send(): string {
        return 'no';
      }
    }
    const [job] = await discover({ providers: [Curt] });
    await expect(job?.handler(run('1'))).resolves.toBe('no');
  });

  it('gives each execution of a request-scoped provider a context of its own', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Session {
      readonly id = Symbol('session');
    }
    @Injectable()
    class Scoped {
      constructor(
        readonly session: Session,
        @Inject(REQUEST) readonly request: JobRun,
      ) {}

      @BackgroundJob({ name: 'scoped' })
      run({ executionId }: JobRun<never>): unknown {
        return { own: executionId, requested: this.request.executionId, session: this.session.id };
      }
    }
    const [job] = await discover({ providers: [Session, Scoped] });
    const [first, second] = await Promise.all([job?.handler(run('1')), job?.handler(run('2'))]);
    expect(first).toMatchObject({ own: '1', requested: '1' });
    expect(second).toMatchObject({ own: '2', requested: '2' });
    expect((first as { session: symbol }).session).not.toBe((second as { session: symbol }).session);
  });

  it('gives each execution of a transient provider an instance of its own', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient {
      private calls = 0;

      @BackgroundJob({ name: 'transient' })
      run(): number {
        return ++this.calls;
      }
    }
    const jobs = await discover({ providers: [Transient] });
    expect(placesOf(jobs)).toEqual(['Transient.run']);
    await expect(jobs[0]?.handler(run('1'))).resolves.toBe(1);
    await expect(jobs[0]?.handler(run('2'))).resolves.toBe(1);
  });

  it('asks the module that provides a request-scoped class', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Local {
      constructor(@Inject('REGION') readonly region: string) {}

      @BackgroundJob({ name: 'local' })
      run(): string {
        return this.region;
      }
    }
    const regional = (name: string): DynamicModule => ({
      module: class Regional {},
      providers: [Local, { provide: 'REGION', useValue: name }],
    });
    const [north, south] = await discover({ imports: [regional('north'), regional('south')] });
    await expect(north?.handler(run('1'))).resolves.toBe('north');
    await expect(south?.handler(run('1'))).resolves.toBe('south');
  });

  it('turns what a handler throws at once into a rejection', async () => {
    class Broken {
      @BackgroundJob({ name: 'broken' })
      run(): void {
        throw new RangeError('at once');
      }
    }
    const [job] = await discover({ providers: [Broken] });
    await expect(job?.handler(run('1'))).rejects.toThrow('at once');
  });
});
