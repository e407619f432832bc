import { randomUUID } from 'node:crypto';
import { PERIOD_LABEL } from '../../core/calendar/period-label.js';
import { InvalidRequestError } from '../../core/errors.js';
import type { NewExecution } from '../../core/execution/new-execution.js';
import { redactText } from '../../core/execution/redaction.js';
import { executionKey, keyProblem, manualKey } from '../../core/job/execution-key.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import { OptionReader } from '../../core/job/option-reader.js';
import { occurrenceOfPeriod } from '../../core/schedule/named-period.js';
import type { Clock } from '../../core/ports/clock.js';
import type { OperatorRequest } from '../../core/ports/operator-request.js';
import type { TriggerOptions } from './enqueue-options.js';
import { readActor, readOptionalReason } from './operator-options.js';

const OPTIONS = ['period', 'key', 'payload', 'actor', 'reason', 'force'] as const;
const PERIOD = { pattern: PERIOD_LABEL, hint: 'the label of a period such as "2026-08-14"' };

/**
 * Turns an ordinary execution of a job into the one that a person asked for: of a named period, with the key of the tick,
 * or of none, with a key that no tick and no enqueue makes.
 * @throws InvalidRequestError when the period has not begun or does not exist.
 */
export function triggeredExecution(
  job: JobDefinition,
  options: TriggerOptions,
  { ordinary, clock }: { readonly ordinary: NewExecution; readonly clock: Clock },
): NewExecution {
  const execution: NewExecution = {
    ...ordinary,
    actor: typeof options.actor === 'string' ? redactText(options.actor) : null,
  };
  if (options.period !== undefined) return { ...execution, ...ofPeriod(job, options.period, clock) };
  return { ...execution, key: manualKey(job.name, options.key ?? randomUUID()) };
}

/**
 * Checks all of a trigger but what its payload holds, and reads who asks for it.
 * @throws InvalidRequestError with every problem.
 */
export function triggerRequest(job: JobDefinition, options: TriggerOptions, clock: Clock): OperatorRequest {
  const problems: string[] = [];
  if (job.disabled) problems.push('the job is disabled, so nothing is inserted for it');
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(OPTIONS);
  const { period, key, payload } = options;
  reader.text('period', null, PERIOD);
  if (period !== undefined && key !== undefined) reader.refuse('key', 'cannot be combined with "period"');
  if (period !== undefined && job.schedule === null) reader.refuse('period', 'belongs to scheduled jobs');
  if (payload !== undefined && job.schedule !== null) reader.refuse('payload', 'belongs to background jobs');
  const unusable = key === undefined ? null : keyProblem(key);
  if (unusable !== null) problems.push(unusable);
  const actor = readActor(reader);
  const reason = readOptionalReason(reader);
  reader.boolean('force', false);
  if (problems.length > 0) throw refused(job, problems);
  return { actor, reason, now: clock.boundNow() };
}

const refused = ({ name }: JobDefinition, problems: readonly string[]): InvalidRequestError =>
  new InvalidRequestError(`trigger "${name}"`, problems);

function ofPeriod(job: JobDefinition, period: string, clock: Clock): Partial<NewExecution> {
  const occurrence =
    job.schedule === null ? null : occurrenceOfPeriod(job.schedule, period, clock.boundNow() ?? new Date());
  if (occurrence === null) {
    throw refused(job, [`no period "${period}" has begun. Labels look like those that preview() shows`]);
  }
  const { scheduledFor, interval } = occurrence;
  return { key: executionKey(job.name, occurrence.period), period: occurrence.period, scheduledFor, interval };
}
