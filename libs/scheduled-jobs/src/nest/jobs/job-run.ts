import type { EntityManager } from 'typeorm';
import type { JobRun as CoreJobRun } from '../../core/job/job-run.js';

/**
 * One call of a job's handler: what it is about and what it may do. `P` is the payload, null for a scheduled job.
 * `run.transaction` and `run.items` hand out TypeORM's EntityManager.
 */
export type JobRun<P = null> = CoreJobRun<P, EntityManager>;
