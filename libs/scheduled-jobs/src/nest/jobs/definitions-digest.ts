import { createHash } from 'node:crypto';
import type { JobDefinition } from '../../core/job/job-definition.js';
import { storedText } from '../../core/schedule/stored-definition.js';

const DIGITS = 16;

/** Equal for processes whose jobs, schedules and options are equal; of functions only that there is one counts. */
export function definitionsDigest(definitions: readonly JobDefinition[]): string {
  const texts = definitions.map(({ place: _, schedule, ...job }) =>
    JSON.stringify(
      { ...job, schedule: schedule === null ? null : storedText(schedule, job.disabled), catchUp: schedule?.catchUp },
      (_name, value: unknown) => (typeof value === 'function' ? 'function' : value),
    ),
  );
  return createHash('sha256').update(JSON.stringify(texts.toSorted())).digest('hex').slice(0, DIGITS);
}
