import { textProblem } from '../execution/storable-text.js';
import { thrownText } from '../execution/stored-error.js';
import { quieten } from '../quieten.js';
import type { JobDefinition } from './job-definition.js';
import { shown } from './option-reader.js';

const MAX_LENGTH = 200;

// A job's own group and the keys that users choose never meet.
const OWN_GROUP = 'job:';

const chosenKey = (key: string): string => `key:${key}`;

/** The group that a job's executions form by themselves: that of its oldest name, so that a rename does not split it. */
export const ownGroupOf = ({ name, aliases }: Pick<JobDefinition, 'name' | 'aliases'>): string =>
  `${OWN_GROUP}${aliases[0] ?? name}`;

/** The job whose own group a concurrency key is; null = a key that a user chose. */
export const jobOfGroup = (concurrencyKey: string): string | null =>
  concurrencyKey.startsWith(OWN_GROUP) ? concurrencyKey.slice(OWN_GROUP.length) : null;

/**
 * Who this execution may not run beside: executions with an equal concurrency key share its slots; null = anybody. A
 * `concurrencyKey` function that throws or gives no usable text must not lose the execution: it is warned about, and what
 * the job's `overlap` says by itself holds.
 */
export function concurrencyKeyOf(
  job: Pick<JobDefinition, 'name' | 'aliases' | 'overlap' | 'concurrencyKey'>,
  payload: unknown,
  warn: (message: string) => void,
): string | null {
  const fallback = job.overlap === 'allow' ? null : ownGroupOf(job);
  if (job.concurrencyKey === null) return fallback;
  const instead = fallback === null ? 'The execution runs beside all others.' : "The job's own group is used instead.";
  try {
    const key: unknown = job.concurrencyKey(payload);
    const problem = keyProblem(key);
    quieten(key);
    if (problem === null) return chosenKey(key as string);
    warn(`concurrencyKey of the job "${job.name}" ${problem}. ${instead}`);
  } catch (error) {
    warn(`concurrencyKey of the job "${job.name}" threw: ${thrownText(error)}. ${instead}`);
  }
  return fallback;
}

function keyProblem(key: unknown): string | null {
  if (typeof key !== 'string') return `gave ${shown(key)}, not a string`;
  if (key.length === 0 || key.length > MAX_LENGTH) return `gave ${key.length} characters, not 1 to ${MAX_LENGTH}`;
  const unstorable = textProblem(key);
  return unstorable === null ? null : `gave a text that ${unstorable}`;
}
