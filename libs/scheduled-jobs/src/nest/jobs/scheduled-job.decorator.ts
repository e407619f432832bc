import type { ScheduledJobOptions } from '../../core/job/job-options.js';
import { declareJob } from './job-metadata.js';
import type { JobRun } from './job-run.js';

/** Decorates a method that takes a run with payload `P`. */
export type JobMethodDecorator<P> = <Handler extends (run: JobRun<P>) => unknown>(
  prototype: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * Makes the method run once per period of a cron schedule, on one worker of all instances. The expression has five or,
 * with seconds first, six fields; `CronExpression` of `@nestjs/schedule` works too. `name` is required, and so is
 * `timeZone`, here or for the module. Mistakes are reported when the application starts.
 */
export function ScheduledJob(cron: string, options: ScheduledJobOptions): JobMethodDecorator<null> {
  return (prototype, method) => declareJob(prototype, { method, kind: 'scheduled', cron, options });
}
