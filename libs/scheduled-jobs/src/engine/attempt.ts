import { AttemptTimeoutError, ExecutionCanceledError, LeaseLostError, ShutdownError } from '../core/errors.js';
import { addCounts, NO_COUNTS, type Counts } from '../core/execution/counts.js';
import type { StopCause } from '../core/execution/settlement.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import type { Clock } from '../core/ports/clock.js';
import type { HeldExecution } from './held-execution.js';
import { createWakeTimer } from './wake-timer.js';

export interface AttemptOptions {
  readonly held: HeldExecution;
  readonly definition: JobDefinition;
  readonly clock: Clock;
  /** The longest wait for handlers after the shutdown's signal, milliseconds. */
  readonly shutdownGraceMs: number;
}

/**
 * One call of a handler while it goes on: its signal, its timers, and what it has counted.
 *
 * The signal fires once, with the first reason. A timeout, a cancel and a shutdown leave the lease, and the handler has the
 * job's `abortGrace` to settle; a lost lease ends the attempt at once, whatever came before.
 */
export class Attempt {
  readonly held: HeldExecution;
  readonly definition: JobDefinition;
  readonly startedAt: Date;
  readonly startedMs: number;
  /**
   * Resolves when nobody waits for the handler any longer, because the lease is lost or the grace after the signal has
   * passed; never rejects.
   */
  readonly givenUp: Promise<void>;
  /** Counted outside of any transaction of the run. */
  counts: Counts = NO_COUNTS;
  /** Items that walks which came to their end have recorded as failed. */
  itemFailures = 0;
  stopCause: StopCause | null = null;

  private readonly controller = new AbortController();
  private readonly timeoutTimer = createWakeTimer();
  private readonly graceTimer = createWakeTimer();
  private giveUp: () => void = () => undefined;

  constructor(private readonly options: AttemptOptions) {
    this.held = options.held;
    this.definition = options.definition;
    this.startedMs = options.clock.monotonicMs();
    this.startedAt = this.now();
    this.givenUp = new Promise((resolve) => {
      this.giveUp = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get key(): string {
    return this.held.claimed.key;
  }

  get durationMs(): number {
    return Math.round(this.options.clock.monotonicMs() - this.startedMs);
  }

  /** How long the handler may take to stop once its signal fired. */
  get graceMs(): number {
    const { abortGraceMs } = this.definition;
    return this.stopCause === 'shutdown' ? Math.min(abortGraceMs, this.options.shutdownGraceMs) : abortGraceMs;
  }

  /** Database time. */
  now(): Date {
    return this.held.databaseTime(this.options.clock.monotonicMs());
  }

  count(counts: Partial<Counts>): void {
    this.counts = addCounts(this.counts, counts);
  }

  /** From now on the lease and the timeout can end it. */
  begin(): void {
    this.held.startedAt = this.startedAt;
    this.timeoutTimer.set(this.definition.timeoutMs, () => this.stop('timeout'));
    this.held.watch({ lost: () => this.lose(), cancelRequested: () => this.stop('cancel') });
  }

  /** Asks the handler to stop; the first cause counts. */
  stop(cause: StopCause): void {
    if (this.stopCause !== null || this.held.isLost) return;
    this.stopCause = cause;
    this.graceTimer.set(this.graceMs, () => this.giveUp());
    this.controller.abort(this.reason(cause));
  }

  /** From now on nobody waits for the handler. */
  abandon(): void {
    this.giveUp();
  }

  /** It is over: no timer of it may fire any more. */
  end(): void {
    this.timeoutTimer.clear();
    this.graceTimer.clear();
  }

  private lose(): void {
    this.end();
    this.giveUp();
    this.controller.abort(new LeaseLostError(this.key, this.held.lease.leaseToken));
  }

  private reason(cause: StopCause): Error {
    switch (cause) {
      case 'timeout':
        return new AttemptTimeoutError(this.key, this.definition.timeoutMs);
      case 'cancel':
        return new ExecutionCanceledError(this.key);
      case 'shutdown':
        return new ShutdownError(this.key);
    }
  }
}
