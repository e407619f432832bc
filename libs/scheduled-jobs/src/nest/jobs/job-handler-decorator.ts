import type { JobRun } from './job-run.js';

/** A job's handler as the worker calls it. */
export type JobHandler = (run: JobRun<unknown>) => Promise<unknown>;

/**
 * Wraps every handler, for tracing or an AsyncLocalStorage of the application. Provide a subclass under this class in any
 * module: `{ provide: JobHandlerDecorator, useClass: TracedHandlers }`.
 */
export abstract class JobHandlerDecorator {
  /** Called once per job when the application starts; what it returns is called for each attempt. */
  abstract decorate(handler: JobHandler, jobName: string): JobHandler;
}
