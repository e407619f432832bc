import { textProblem } from '../execution/storable-text.js';
import { quieten } from '../quieten.js';

/** Job names: what stands before the colon of every key. */
export const JOB_NAME = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
  hint: '1–100 letters, digits, ".", "_" or "-", starting with a letter or digit',
} as const;

/** Starts of keys that the library itself makes. */
const RESERVED = ['id:', 'manual:'] as const;
const MAX_KEY_LENGTH = 300;

/** Whether a key starts as keys do that the library itself makes. */
export const isReservedKey = (key: string): boolean => RESERVED.some((start) => key.startsWith(start));

/** The key of an execution: the job's name, a colon, and the period or the idempotency key. */
export const executionKey = (jobName: string, key: string): string => `${jobName}:${key}`;

/** The key of an execution that somebody triggered without naming a period. */
export const manualKey = (jobName: string, key: string): string => executionKey(jobName, `manual:${key}`);

/** Why an idempotency key cannot be used; null = it can. */
export function keyProblem(key: unknown): string | null {
  if (typeof key !== 'string') {
    quieten(key);
    return `the key must be a string, got ${typeof key}`;
  }
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    return `the key must have 1 to ${MAX_KEY_LENGTH} characters, got ${key.length}`;
  }
  const unstorable = textProblem(key);
  if (unstorable !== null) return `the key ${unstorable}`;
  const reserved = RESERVED.find((start) => key.startsWith(start));
  return reserved === undefined ? null : `the key must not start with "${reserved}", which the library uses itself`;
}
