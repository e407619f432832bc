import { AsyncLocalStorage } from 'node:async_hooks';
import type { JobRun } from '../core/job/job-run.js';

const runs = new AsyncLocalStorage<JobRun<unknown>>();

/**
 * The run that the calling code belongs to, however deep below its handler; undefined outside of one.
 * @publicApi
 */
export const currentRun = (): JobRun<unknown> | undefined => runs.getStore();

/** Calls `work` with `run`, as a part of it. */
export const withinRun = <Run extends JobRun<unknown>, T>(run: Run, work: (run: Run) => T): T =>
  runs.run(run, work, run);
