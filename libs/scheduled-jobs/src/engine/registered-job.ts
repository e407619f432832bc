import type { JobDefinition } from '../core/job/job-definition.js';
import type { JobRun } from '../core/job/job-run.js';

/** What a job does; what it returns becomes the result of the execution. */
export type JobHandler<Tx> = (run: JobRun<unknown, Tx>) => unknown;

/** A job together with the code that does it. */
export interface RegisteredJob<Tx> {
  readonly definition: JobDefinition;
  readonly handler: JobHandler<Tx>;
}

/**
 * Turns a stored payload into what the handler gets: an instance of the job's payload class, checked by its rules. May be
 * asynchronous; whatever it throws says that the payload does not fit.
 */
export type PayloadReader = (definition: JobDefinition, payload: unknown) => unknown;

/**
 * The jobs of a process by every name that an execution may carry: an execution made under an earlier name is run by the
 * job's present definition.
 */
export function jobsByName<Tx>(jobs: readonly RegisteredJob<Tx>[]): ReadonlyMap<string, RegisteredJob<Tx>> {
  const names = jobs.flatMap((job) =>
    [job.definition.name, ...job.definition.aliases].map((name) => [name, job] as const),
  );
  return new Map(names);
}
