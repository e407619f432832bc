import { currentRun as engineCurrentRun } from '../../engine/current-run.js';
import type { JobRun } from './job-run.js';

/**
 * The run that the calling code belongs to, however deep below its handler, for log lines and the like; undefined outside
 * of one.
 */
export const currentRun = engineCurrentRun as () => JobRun<unknown> | undefined;
