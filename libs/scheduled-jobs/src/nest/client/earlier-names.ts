import { isFinal } from '../../core/execution/execution-state.js';
import { executionKey } from '../../core/job/execution-key.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import type { Stores } from '../../postgres/create-stores.js';
import type { EnqueueResult } from './enqueue-options.js';

/**
 * What an enqueue answers for a period that was executed under an earlier name of its job, so that a new name does not
 * execute it once more; null = it was not.
 */
export async function executedEarlier(
  { aliases }: JobDefinition,
  period: string | null,
  { periods, ledger, clock }: Pick<Stores, 'periods' | 'ledger' | 'clock'>,
): Promise<EnqueueResult | null> {
  if (period === null || aliases.length === 0) return null;
  const keys = aliases.map((alias) => executionKey(alias, period));
  const records = await periods.ofKeys(keys);
  const key = keys.find((_, index) => records[index] !== 'absent');
  if (key === undefined) return null;
  const execution = await ledger.get(key, clock.boundNow());
  if (execution === null) return { execution: null, created: false, pruned: true };
  const { executionId, state } = execution;
  return { execution: { executionId, key, state: isFinal(state) ? state : null }, created: false };
}

/** Does the same for a job and then for each of its earlier names, under which executions may still wait. */
export async function underAllNames<T>(
  { name, aliases }: JobDefinition,
  operation: (jobName: string) => Promise<T>,
): Promise<T> {
  const result = await operation(name);
  for (const alias of aliases) await operation(alias);
  return result;
}
