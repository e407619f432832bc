import { InvalidRequestError } from '../../core/errors.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import { OptionReader } from '../../core/job/option-reader.js';
import type { Clock } from '../../core/ports/clock.js';
import type { ResumeRequest } from '../../core/ports/suspension-store.js';
import { readOperator, type OperatorOptions } from './operator-options.js';

/** How a paused job goes on. */
export interface ResumeOptions extends OperatorOptions {
  /**
   * True = the job's catch-up policy decides about the periods since the pause, as after an outage. Default false: they are
   * left out, as one skipped range.
   */
  readonly catchUp?: boolean;
}

/** Who resumes a job, why, and what becomes of its periods. @throws InvalidRequestError with every problem. */
export function resumeRequest({ name, schedule }: JobDefinition, options: ResumeOptions, clock: Clock): ResumeRequest {
  const problems: string[] = [];
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(['actor', 'reason', 'catchUp']);
  const operator = readOperator(reader);
  const catchUp = reader.boolean('catchUp', false);
  if (catchUp && schedule === null) reader.refuse('catchUp', 'belongs to scheduled jobs');
  if (problems.length > 0) throw new InvalidRequestError(`resume "${name}"`, problems);
  return { ...operator, catchUp, now: clock.boundNow() };
}
