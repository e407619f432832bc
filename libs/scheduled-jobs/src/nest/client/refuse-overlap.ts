import { OverlapError } from '../../core/errors.js';
import type { NewExecution } from '../../core/execution/new-execution.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import type { Stores } from '../../postgres/create-stores.js';

/**
 * A person who triggers a job under `skip` is told at once what is in the way. What comes in between is left out when it
 * would be admitted, as any execution of the job.
 * @throws OverlapError when the job's group has no room and no execution has this key yet.
 */
export async function refuseOverlap(
  { name, overlap, concurrency }: JobDefinition,
  { concurrencyKey, key }: NewExecution,
  { executions }: Pick<Stores, 'executions'>,
): Promise<void> {
  if (overlap !== 'skip' || concurrencyKey === null) return;
  const blocker = await executions.findBlocker({ concurrencyKey, concurrency, key });
  if (blocker !== null) throw new OverlapError(name, blocker.executionId, blocker.key);
}
