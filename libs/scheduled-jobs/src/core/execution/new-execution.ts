import type { Interval } from '../calendar/schedule.js';
import type { SkipReason, Trigger } from './execution-state.js';

/** An execution to be inserted. Everything that a later change of the job's options must not alter is in it. */
export interface NewExecution {
  readonly jobName: string;
  /** Null = no deduplication; the ledger then makes a key from the id. */
  readonly key: string | null;
  readonly period: string | null;
  readonly interval: Interval | null;
  /** Null = the time of the insert. */
  readonly scheduledFor: Date | null;
  /** When it may run; null = at `scheduledFor`. */
  readonly runAt: Date | null;
  readonly queue: string;
  readonly priority: number;
  /** JSON text; null = none. */
  readonly payload: string | null;
  readonly concurrencyKey: string | null;
  readonly maxAttempts: number;
  readonly leaseMs: number;
  readonly deadlineMs: number;
  readonly trigger: Trigger;
  readonly actor: string | null;
  /** The W3C traceparent of the span that asked for it; null = none was recorded. */
  readonly traceParent: string | null;
  /** Set = born skipped. */
  readonly skip: Extract<SkipReason, 'excluded' | 'dst-gap'> | null;
}
