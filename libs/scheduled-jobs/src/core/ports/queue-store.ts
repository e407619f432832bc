import type { Verdict } from '../queue/breaker.js';
import type { QueueLimits } from '../queue/queue-limits.js';
import type { OperatorRequest } from './operator-request.js';
import type { PauseResult } from './suspension-store.js';

/** A breaker that opened or closed. */
export interface BreakerChange {
  readonly queue: string;
  readonly change: 'opened' | 'closed';
  /** Until when nothing starts; null = it closed. */
  readonly until: Date | null;
  /** What it opened or closed for: calls of the window, or probes. */
  readonly calls: number;
  readonly failures: number;
}

/** One queue, its limits and what is in it. */
export interface QueueSummary extends Omit<QueueLimits, 'breaker'> {
  /** Null = it is not paused. */
  readonly pause: { readonly since: Date; readonly actor: string | null; readonly reason: string | null } | null;
  /** Null = it has none. */
  readonly breaker: {
    readonly state: 'closed' | 'open' | 'half-open';
    /** Until when nothing starts; null = it is not open. */
    readonly openUntil: Date | null;
    /** Counted calls of the window; 0 once it has opened. */
    readonly calls: number;
    readonly failures: number;
  } | null;
  /** Executions that could run now, counted up to 10,000. */
  readonly ready: number;
  /** Executions that a worker holds, counted up to 10,000. */
  readonly running: number;
  /** How long the oldest ready one could have been running; null = none is ready. Among the first 10,000. */
  readonly oldestReadyMs: number | null;
}

/** Limits, pauses and circuit breakers of queues, for all workers. */
export interface QueueStore {
  /** Puts limits in force, those of each queue as a whole; other queues stay as they are. What was used up stays used up. */
  configure(limits: readonly QueueLimits[]): Promise<void>;
  pause(queue: string, request: OperatorRequest): Promise<PauseResult>;
  resume(queue: string, request: OperatorRequest): Promise<PauseResult>;
  /** By name: these, those that have a row, and those that have ready or running executions; at most 1,000. */
  list(names: readonly string[], now: Date | null): Promise<readonly QueueSummary[]>;
  /** Counts verdicts of queues that have a breaker; gives the breakers that opened or closed by them. */
  recordVerdicts(verdicts: readonly Verdict[], now: Date | null): Promise<readonly BreakerChange[]>;
}
