import { DAY_MS, MINUTE_MS, SECOND_MS } from '../duration.js';
import { textProblem } from '../execution/storable-text.js';
import type { JobDefinition } from './job-definition.js';
import { shown, type OptionReader } from './option-reader.js';

const START_WITHIN_MS = 15 * MINUTE_MS;
const MAX_RUNBOOK_LENGTH = 1_000;

/** Reads what alerts need to know of a job. */
export function resolveAlert(job: OptionReader, isScheduled: boolean): JobDefinition['alert'] {
  const runbook = resolveRunbook(job);
  if (!isScheduled) return { startWithinMs: null, runbook };
  const reader = job.nested('alert');
  reader.allowOnly(['startWithin']);
  return {
    startWithinMs: reader.durationMs('startWithin', START_WITHIN_MS, { min: SECOND_MS, max: 30 * DAY_MS }),
    runbook,
  };
}

function resolveRunbook(job: OptionReader): string | null {
  const value = job.raw('runbook');
  if (value === undefined) return null;
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= MAX_RUNBOOK_LENGTH;
  if (isText && textProblem(value) === null) return value;
  job.refuse('runbook', `must be a text or URL of 1 to ${MAX_RUNBOOK_LENGTH} characters, got ${shown(value)}`);
  return null;
}
