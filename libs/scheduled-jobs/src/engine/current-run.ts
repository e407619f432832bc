import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { JobRun } from '../core/job/job-run.js';

const runs = new AsyncLocalStorage<JobRun<unknown> | undefined>();

/**
 * The run that the calling code belongs to, however deep below its handler; undefined outside of one.
 * @publicApi
 */
export const currentRun = (): JobRun<unknown> | undefined => runs.getStore();

/** Call it before the first run: platforms that begin to follow contexts with the first one that is entered give that one no end. */
export const followRuns = (): void =>
  new AsyncResource('nestjs-scheduled-jobs.runs').runInAsyncScope(() => runs.enterWith(undefined));

/**
 * Makes the rest of the calling async function a part of `run`. Call it after an `await`: what waits for the function goes on
 * in its own context. `AsyncLocalStorage.run` would make two contexts, one for the way back.
 */
export const enterRun = (run: JobRun<unknown>): void => runs.enterWith(run);
