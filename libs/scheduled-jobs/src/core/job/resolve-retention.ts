import { DAY_MS, durationText, MINUTE_MS } from '../duration.js';
import { FINAL_STATES, type FinalState } from '../execution/execution-state.js';
import type { JobDefinition } from './job-definition.js';
import type { OptionReader } from './option-reader.js';

const DEFAULT_MS: JobDefinition['retentionMs'] = {
  succeeded: 30 * DAY_MS,
  skipped: 30 * DAY_MS,
  canceled: 30 * DAY_MS,
  failed: 90 * DAY_MS,
  completed_with_errors: 90 * DAY_MS,
};

/**
 * Reads how long ended executions are kept: one duration for all states, or some of them.
 * @param windowMs The catch-up window of a scheduled job; periods inside it are still asked for, so they must be there.
 */
export function resolveRetention(job: OptionReader, windowMs: number): JobDefinition['retentionMs'] {
  const value = job.raw('retention');
  if (value === undefined || typeof value === 'string') {
    const ms = job.durationMs('retention', null, { min: MINUTE_MS });
    const kept = ms === null ? DEFAULT_MS : ofAll(() => ms);
    if (ms !== null) refuseShorter(job, windowMs, [['retention', ms]]);
    return ms === null ? atLeast(kept, windowMs) : kept;
  }
  const reader = job.nested('retention');
  reader.allowOnly(FINAL_STATES);
  const given = ofAll((state) => reader.durationMs(state, null, { min: MINUTE_MS }));
  refuseShorter(reader, windowMs, Object.entries(given));
  return atLeast(
    ofAll((state) => given[state] ?? DEFAULT_MS[state]),
    windowMs,
  );
}

const ofAll = <T>(valueOf: (state: FinalState) => T): Readonly<Record<FinalState, T>> =>
  Object.fromEntries(FINAL_STATES.map((state) => [state, valueOf(state)])) as Record<FinalState, T>;

/** Defaults give way to a long window; what somebody wrote is refused instead. */
const atLeast = (retention: JobDefinition['retentionMs'], windowMs: number): JobDefinition['retentionMs'] =>
  ofAll((state) => Math.max(retention[state], windowMs));

function refuseShorter(
  reader: OptionReader,
  windowMs: number,
  given: readonly (readonly [string, number | null])[],
): void {
  for (const [name, ms] of given) {
    if (ms === null || ms >= windowMs) continue;
    reader.refuse(name, `must not be shorter than catchUp.window (${durationText(windowMs)}), got ${durationText(ms)}`);
  }
}
