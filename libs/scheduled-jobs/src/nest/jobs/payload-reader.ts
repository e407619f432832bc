import type { PayloadClass } from '../../core/job/job-definition.js';
import type { PayloadReader } from '../../engine/registered-job.js';
import { validateAs } from './class-validation.js';

/**
 * Makes the payload class of a job from what is stored. Properties that the class does not know (any more) are left out;
 * everything else must satisfy its rules, which may have changed since the payload was enqueued.
 */
export const readPayload: PayloadReader = ({ payload: type }, stored) =>
  type === null ? stored : readAs(type, stored);

async function readAs(type: PayloadClass, stored: unknown): Promise<unknown> {
  const { value, problems } = await validateAs(type, stored, 'ignore');
  if (value === null) throw new TypeError(problems.join('; '));
  return value;
}
