import { describe, expect, expectTypeOf, it } from 'vitest';
import { InvalidOptionsError } from '../../core/errors.js';
import { BackgroundJob } from './background-job.decorator.js';
import { declaredJobs } from './job-metadata.js';
import type { JobRun } from './job-run.js';
import { ScheduledJob } from './scheduled-job.decorator.js';

/** Replaces the function, as tracing and caching decorators do. */
const Wrapped: MethodDecorator = (_prototype, _method, descriptor) => {
  const original = descriptor.value as unknown as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]) {
    return original.apply(this, args);
  } as never;
};

const namesOf = (metatype: unknown): readonly unknown[] =>
  declaredJobs(metatype).map(({ method, options }) => `${String(method)}:${(options as { name: string }).name}`);

describe('@ScheduledJob and @BackgroundJob', () => {
  it('remember expression and options by method', () => {
    class Reports {
      @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'Europe/Berlin' })
      daily(): void {}

      @BackgroundJob({ name: 'export' })
      export(): void {}
    }
    expect(declaredJobs(Reports)).toEqual([
      { method: 'daily', kind: 'scheduled', cron: '0 6 * * *', options: { name: 'daily', timeZone: 'Europe/Berlin' } },
      { method: 'export', kind: 'background', cron: undefined, options: { name: 'export' } },
    ]);
  });

  it('survive other decorators on either side', () => {
    class Reports {
      @Wrapped
      @ScheduledJob('0 6 * * *', { name: 'inside' })
      inside(): void {}

      @ScheduledJob('0 6 * * *', { name: 'outside' })
      @Wrapped
      outside(): void {}
    }
    expect(namesOf(Reports)).toEqual(['inside:inside', 'outside:outside']);
  });

  it('work on classes without a usable name, on symbols, and twice on one method', () => {
    const method = Symbol('hidden');
    class Minified {
      @ScheduledJob('0 6 * * *', { name: 'morning' })
      @ScheduledJob('0 18 * * *', { name: 'evening' })
      [method](): void {}
    }
    Object.defineProperty(Minified, 'name', { value: '' });
    expect(namesOf(Minified)).toEqual(['Symbol(hidden):evening', 'Symbol(hidden):morning']);
  });

  it('are inherited once, kept by an override, and replaced by a decorated override', () => {
    abstract class Base {
      @BackgroundJob({ name: 'kept' })
      kept(): void {}

      @BackgroundJob({ name: 'replaced' })
      replaced(): void {}
    }
    class Middle extends Base {
      override kept(): void {}
    }
    class Concrete extends Middle {
      @BackgroundJob({ name: 'replacement' })
      override replaced(): void {}
    }
    expect(namesOf(Concrete)).toEqual(['replaced:replacement', 'kept:kept']);
    expect(namesOf(Base)).toEqual(['kept:kept', 'replaced:replaced']);
  });

  it('read what a second copy of the package has written', () => {
    class Foreign {
      run(): void {}
    }
    const declaration = { method: 'run', kind: 'background', cron: undefined, options: { name: 'foreign' } };
    Reflect.defineMetadata(Symbol.for('nestjs-scheduled-jobs/jobs'), [declaration], Foreign);
    expect(declaredJobs(Foreign)).toEqual([declaration]);
  });

  it('refuse static methods and properties', () => {
    const decorate = BackgroundJob({ name: 'x' }) as (target: object, method: string) => void;
    class Reports {
      static run(): void {}
      readonly arrow = (): void => {};
    }
    expect(() => decorate(Reports, 'run')).toThrow(InvalidOptionsError);
    expect(() => decorate(Reports, 'run')).toThrow('Reports.run is static');
    expect(() => decorate(Reports.prototype, 'arrow')).toThrow('Reports.arrow is not a method');
  });

  it('check the type of the handler', () => {
    class ExportPdf {
      readonly projectId: string = '';
    }
    class Reports {
      @ScheduledJob('@daily', { name: 'a' })
      scheduled(run: JobRun): void {
        expectTypeOf(run.payload).toEqualTypeOf<null>();
      }

      @BackgroundJob({ name: 'b', payload: ExportPdf, key: (payload) => payload.projectId })
      validated(run: JobRun<ExportPdf>): void {
        expectTypeOf(run.payload).toEqualTypeOf<ExportPdf>();
      }

      @BackgroundJob({ name: 'c', key: (payload: { readonly id: string }) => payload.id })
      typedByHand(_run: JobRun<{ readonly id: string }>): void {}

      @BackgroundJob({ name: 'd' })
      withoutRun(): void {}

      // @ts-expect-error the payload class says otherwise
      @BackgroundJob({ name: 'e', payload: ExportPdf })
      wrongPayload(_run: JobRun<{ readonly other: number }>): void {}

      // @ts-expect-error a scheduled job has no payload
      @ScheduledJob('@daily', { name: 'f' })
      scheduledWithPayload(_run: JobRun<ExportPdf>): void {}

      // @ts-expect-error an expression that may be missing
      @ScheduledJob(process.env['NO_SUCH_CRON'], { name: 'g' })
      missingCron(): void {}

      // @ts-expect-error not an option
      @ScheduledJob('@daily', { name: 'h', waitForCompletion: true })
      cronOption(): void {}
    }
    expect(declaredJobs(Reports)).toHaveLength(8);
  });
});
