import type { Interval } from '../calendar/schedule.js';
import type { Trigger } from './execution-state.js';

/** What a write of a worker must present: the execution and the token of the claim that the worker holds. */
export interface Lease {
  readonly executionId: string;
  readonly leaseToken: string;
}

/** An execution as a claim hands it to a worker. */
export interface ClaimedExecution extends Lease {
  readonly key: string;
  readonly jobName: string;
  readonly period: string | null;
  readonly interval: Interval | null;
  /** Nominal time; for a background job the time from which it may run. */
  readonly scheduledFor: Date;
  readonly payload: unknown;
  readonly trigger: Trigger;
  /** The W3C traceparent of the span that asked for it; null = none was recorded. */
  readonly traceParent: string | null;
  readonly queue: string;
  readonly concurrencyKey: string | null;
  /** 1 for the first counted call. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly leaseMs: number;
  readonly deadlineAt: Date | null;
  /** The database's time of the claim; a worker adds its monotonic clock to it. */
  readonly claimedAt: Date;
  /** It fails when its lease is lost once more: it may be what kills its workers. */
  readonly isLastChance: boolean;
}
