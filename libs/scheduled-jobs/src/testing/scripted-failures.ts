import { Injectable } from '@nestjs/common';
import { JobHandlerDecorator, type JobHandler } from '../nest/jobs/job-handler-decorator.js';

interface ScriptedFailure {
  readonly error: unknown;
  times: number;
}

/** Lets the next attempts of a job fail before its handler is called. */
@Injectable()
export class ScriptedFailures extends JobHandlerDecorator {
  private readonly byJob = new Map<string, ScriptedFailure[]>();

  add(jobName: string, error: unknown, times: number): void {
    const failures = this.byJob.get(jobName) ?? [];
    failures.push({ error, times });
    this.byJob.set(jobName, failures);
  }

  clear(): void {
    this.byJob.clear();
  }

  override decorate(handler: JobHandler, jobName: string): JobHandler {
    return (run) => {
      const failure = this.next(jobName);
      return failure === undefined ? handler(run) : Promise.reject(failure.error);
    };
  }

  private next(jobName: string): ScriptedFailure | undefined {
    const failures = this.byJob.get(jobName);
    const [first] = failures ?? [];
    if (first === undefined) return undefined;
    first.times -= 1;
    if (first.times === 0) failures?.shift();
    return first;
  }
}
