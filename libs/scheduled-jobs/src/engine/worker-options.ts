import { InvalidOptionsError } from '../core/errors.js';
import { JOB_NAME } from '../core/job/execution-key.js';
import { OptionReader, shown } from '../core/job/option-reader.js';

/** How a worker claims and runs executions. */
export interface WorkerOptions {
  /** Executions that run at the same time, 1 … 1,000. Default 10. */
  readonly concurrency?: number;
  /** The queues to claim from. Default null = all that its jobs use. */
  readonly queues?: readonly string[] | null;
  /** How often it looks for work when no hint arrives, 10 … 600,000 ms. Default 5 s. */
  readonly pollIntervalMs?: number;
  /** How long running handlers may go on after `stop` was called, at most an hour. Default 25 s. */
  readonly shutdownTimeoutMs?: number;
}

export type ResolvedWorkerOptions = Required<WorkerOptions>;

export const WORKER_DEFAULTS = {
  concurrency: 10,
  queues: null,
  pollIntervalMs: 5_000,
  shutdownTimeoutMs: 25_000,
} as const satisfies ResolvedWorkerOptions;

/** @throws InvalidOptionsError that lists every problem. */
export function resolveWorkerOptions(options: WorkerOptions = {}): ResolvedWorkerOptions {
  const problems: string[] = [];
  const reader = new OptionReader(options, 'worker', problems);
  const { concurrency, pollIntervalMs, shutdownTimeoutMs } = WORKER_DEFAULTS;
  reader.allowOnly(Object.keys(WORKER_DEFAULTS));
  const resolved = {
    concurrency: reader.integer('concurrency', concurrency, { min: 1, max: 1_000 }),
    queues: readQueues(reader),
    pollIntervalMs: reader.integer('pollIntervalMs', pollIntervalMs, { min: 10, max: 600_000 }),
    shutdownTimeoutMs: reader.integer('shutdownTimeoutMs', shutdownTimeoutMs, { min: 0, max: 3_600_000 }),
  };
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return resolved;
}

function readQueues(reader: OptionReader): readonly string[] | null {
  const value = reader.raw('queues') ?? null;
  if (value === null) return null;
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  const usable = names.filter((name) => typeof name === 'string' && JOB_NAME.pattern.test(name));
  if (usable.length > 0 && usable.length === names.length) return [...new Set(usable as readonly string[])];
  reader.refuse('queues', `must list queue names (${JOB_NAME.hint}), got ${shown(value)}`);
  return null;
}
