import type { Alert, AlertKind } from '../alert/alert.js';
import type { AttemptOutcome, FinalState } from '../execution/execution-state.js';
import type { ErrorKind } from '../execution/judgement.js';
import type { BreakerChange } from '../ports/queue-store.js';
import type { RegisteredSchedule } from '../ports/schedule-store.js';

interface OfExecution {
  readonly executionId: string;
  readonly key: string;
  readonly job: string;
  readonly attempt: number;
}

/** What the engine and the stores tell about themselves. They never log; a sink turns events into log lines or metrics. */
export type EngineEvent =
  | {
      readonly type: 'scheduler.started';
      readonly schedules: number;
      /** By this process's clock; null = no schedule fires again. */
      readonly nextAt: Date | null;
    }
  | {
      readonly type: 'schedule.ticked';
      readonly inserted: number;
      readonly skipped: number;
      readonly durationMs: number;
    }
  | { readonly type: 'schedule.failed'; readonly job: string; readonly error: unknown }
  | {
      readonly type: 'schedule.registered';
      readonly job: string;
      readonly change: RegisteredSchedule['change'];
      readonly version: number;
      /** The names from which it took over: only of `renamed`. */
      readonly takenOver?: readonly string[];
    }
  | { readonly type: 'schedule.orphaned'; readonly job: string }
  | { readonly type: 'job.unhandled'; readonly job: string }
  | {
      /** Asked for by `enqueue`, `enqueueMany` or `trigger`; in a caller's transaction that may yet roll back. */
      readonly type: 'executions.enqueued';
      readonly job: string;
      readonly created: number;
      /** Whose key was used before. */
      readonly duplicates: number;
    }
  | { readonly type: 'executions.pruned'; readonly job: string; readonly count: number }
  | { readonly type: 'executions.claimed'; readonly count: number; readonly durationMs: number }
  | (OfExecution & {
      readonly type: 'attempt.started';
      /** Milliseconds since `scheduledFor`: a retry, a catch-up or a wait for a slot counts in. */
      readonly startDelayMs: number;
    })
  | (OfExecution & {
      readonly type: 'attempt.finished';
      readonly outcome: AttemptOutcome;
      readonly durationMs: number;
      readonly error: unknown;
      /** What the error says about another attempt; null = there is none. */
      readonly errorKind: ErrorKind | null;
    })
  | (OfExecution & {
      /** A worker recorded its end. */
      readonly type: 'execution.ended';
      readonly state: FinalState;
    })
  | {
      /** They ended otherwise: by a rescue, a cancel of what waits, an overlap policy, their deadline, or at their birth. */
      readonly type: 'executions.ended';
      readonly job: string;
      readonly state: FinalState;
      readonly count: number;
    }
  | (OfExecution & { readonly type: 'execution.retrying'; readonly runAt: Date | null })
  | (OfExecution & { readonly type: 'lease.lost' })
  | {
      readonly type: 'loop.blocked';
      /** How much later than it should the event loop turned, milliseconds. */
      readonly delayMs: number;
      /** Jobs that were running, by name. */
      readonly jobs: readonly string[];
      /** Leases that the keeper thread kept alive meanwhile. */
      readonly renewed: number;
      /** Leases that ran out meanwhile: these executions may run again elsewhere. */
      readonly expired: number;
    }
  | (OfExecution & { readonly type: 'attempt.abandoned'; readonly abortGraceMs: number })
  | {
      readonly type: 'execution.rescued';
      readonly executionId: string;
      readonly ending: FinalState | null;
      readonly workerId: string | null;
    }
  | ({ readonly type: 'breaker.opened' | 'breaker.closed' } & Omit<BreakerChange, 'change'>)
  | { readonly type: 'worker.started'; readonly workerId: string; readonly jobs: readonly string[] }
  | { readonly type: 'worker.draining'; readonly workerId: string; readonly running: number }
  | { readonly type: 'worker.stopped'; readonly workerId: string }
  | {
      /** At least once for each alert, in one of all instances that have alerts. */
      readonly type: 'alert.raised';
      readonly alert: Alert;
    }
  | { readonly type: 'alert.closed'; readonly kind: AlertKind; readonly subject: string }
  | { readonly type: 'listener.connected' }
  | { readonly type: 'listener.lost'; readonly error: unknown }
  | { readonly type: 'service.failed'; readonly service: string; readonly error: unknown; readonly retryInMs: number }
  | { readonly type: 'configuration.warned'; readonly message: string };

/** Receives events. It must not throw; a throwing sink is ignored. */
export type EventSink = (event: EngineEvent) => void;
