import type { CatchUpPolicy } from '../calendar/catch-up.js';
import type { Schedule } from '../calendar/schedule.js';
import type { ScheduleDefinition } from '../calendar/schedule-definition.js';
import type { FinalState } from '../execution/execution-state.js';
import type { Classify } from '../execution/judge-error.js';
import type { RetryPolicy } from '../execution/retry-policy.js';
import type { DuplicateBehaviour } from './duplicates.js';

/**
 * What an execution does when its group has no room. `queue`: it waits for its turn; `queue-latest`: only the newest waits;
 * `skip`: it is left out; `replace`: it takes the place of the running one; `allow`: there is no group.
 */
export const OVERLAP_POLICIES = ['queue', 'queue-latest', 'skip', 'replace', 'allow'] as const;
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number];

/** A class whose class-validator rules a payload must satisfy. */
export type PayloadClass<P extends object = object> = new () => P;

/** When a scheduled job runs. */
export interface JobSchedule {
  readonly expression: string;
  readonly definition: ScheduleDefinition;
  readonly schedule: Schedule;
  readonly catchUp: CatchUpPolicy;
  /** Where the first cursor stands; null = the time of the first registration. */
  readonly startAt: Date | null;
}

/** A job with every option resolved: defaults filled in, durations in milliseconds, the schedule parsed. */
export interface JobDefinition {
  readonly name: string;
  /** The class and method that carry the decorator, for messages. */
  readonly place: string;
  /** Earlier names, the oldest first. */
  readonly aliases: readonly string[];
  /** Null for a background job. */
  readonly schedule: JobSchedule | null;
  readonly queue: string;
  /** −1000 … 1000, smaller first. */
  readonly priority: number;
  readonly overlap: OverlapPolicy;
  readonly concurrency: number;
  readonly concurrencyKey: ((payload: unknown) => string) | null;
  readonly retry: RetryPolicy;
  readonly classify: Classify | null;
  readonly timeoutMs: number;
  readonly abortGraceMs: number;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** How long a lease is renewed while the event loop is blocked; 0 = not at all. */
  readonly blockedLoopLimitMs: number;
  readonly transactional: boolean;
  readonly disabled: boolean;
  /** How long an ended execution is kept, milliseconds by its final state. Its key is kept for ever. */
  readonly retentionMs: Readonly<Record<FinalState, number>>;
  /** What alerts need to know of the job. */
  readonly alert: {
    /** A period that is not started so long after its nominal time is missed; null = a background job. */
    readonly startWithinMs: number | null;
    readonly runbook: string | null;
  };
  readonly payload: PayloadClass | null;
  readonly key: ((payload: unknown) => string) | null;
  readonly duplicates: DuplicateBehaviour;
}

/** A job that has a schedule. */
export type ScheduledJobDefinition = JobDefinition & { readonly schedule: JobSchedule };
