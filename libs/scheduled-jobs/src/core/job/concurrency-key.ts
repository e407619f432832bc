import { textProblem } from '../execution/storable-text.js';
import { jobConcurrencyKey, userConcurrencyKey } from './execution-key.js';
import type { JobDefinition } from './job-definition.js';
import { shown } from './option-reader.js';

const MAX_LENGTH = 200;

/**
 * Who this execution may not run beside; null = anybody. A `concurrencyKey` function that throws or gives no usable text
 * must not lose the execution: it is warned about, and the job's own group is used.
 */
export function concurrencyKeyOf(
  job: Pick<JobDefinition, 'name' | 'overlap' | 'concurrencyKey'>,
  payload: unknown,
  warn: (message: string) => void,
): string | null {
  const fallback = job.overlap === 'queue' ? jobConcurrencyKey(job.name) : null;
  if (job.concurrencyKey === null) return fallback;
  try {
    const key: unknown = job.concurrencyKey(payload);
    const problem = keyProblem(key);
    if (problem === null) return userConcurrencyKey(key as string);
    warn(`concurrencyKey of the job "${job.name}" ${problem}; the job's own group is used instead.`);
  } catch (error) {
    const text = error instanceof Error ? error.message : shown(error);
    warn(`concurrencyKey of the job "${job.name}" threw: ${text}. The job's own group is used instead.`);
  }
  return fallback;
}

function keyProblem(key: unknown): string | null {
  if (typeof key !== 'string') return `gave ${shown(key)}, not a string`;
  if (key.length === 0 || key.length > MAX_LENGTH) return `gave ${key.length} characters, not 1 to ${MAX_LENGTH}`;
  const unstorable = textProblem(key);
  return unstorable === null ? null : `gave a text that ${unstorable}`;
}
