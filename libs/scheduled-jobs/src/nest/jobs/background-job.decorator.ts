import type { BackgroundJobOptions } from '../../core/job/job-options.js';
import type { PayloadClass } from '../../core/job/job-definition.js';
import { declareJob } from './job-metadata.js';
import type { JobMethodDecorator } from './scheduled-job.decorator.js';

/**
 * Makes the method run for each execution that `JobsClient.enqueue` adds. With a `payload` class, payloads are validated
 * by its class-validator rules when enqueued and again when run. Mistakes are reported when the application starts.
 */
export function BackgroundJob<P extends object>(
  options: BackgroundJobOptions<P> & { readonly payload: PayloadClass<P> },
): JobMethodDecorator<P>;
export function BackgroundJob(options: BackgroundJobOptions<never>): JobMethodDecorator<never>;
export function BackgroundJob(options: unknown): JobMethodDecorator<never> {
  return (prototype, method) => declareJob(prototype, { method, kind: 'background', cron: undefined, options });
}
