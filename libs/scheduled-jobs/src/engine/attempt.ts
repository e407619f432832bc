import { AttemptTimeoutError, ExecutionCanceledError, LeaseLostError, ShutdownError } from '../core/errors.js';
import { addCounts, NO_COUNTS, type Counts } from '../core/execution/counts.js';
import type { StopCause } from '../core/execution/settlement.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import type { Clock } from '../core/ports/clock.js';
import type { HeldExecution, LeaseWatcher } from './held-execution.js';
import { createWakeTimer, type WakeTimer } from './wake-timer.js';

export interface AttemptOptions {
  readonly held: HeldExecution;
  readonly definition: JobDefinition;
  readonly clock: Clock;
  /** The longest wait for handlers after the shutdown's signal, milliseconds. */
  readonly shutdownGraceMs: number;
}

/**
 * One call of a handler while it goes on: its signal, its grace, and what it has counted.
 *
 * The signal fires once, with the first reason. A timeout, a cancel and a shutdown leave the lease, and the handler has the
 * job's `abortGrace` to settle; a lost lease ends the attempt at once, whatever came before.
 */
export class Attempt implements LeaseWatcher {
  readonly held: HeldExecution;
  readonly definition: JobDefinition;
  readonly startedAt: Date;
  readonly startedMs: number;
  /** Counted outside of any transaction of the run. */
  counts: Counts = NO_COUNTS;
  /** Items that walks which came to their end have recorded as failed. */
  itemFailures = 0;
  stopCause: StopCause | null = null;
  /** Its run has written log lines or shown progress. */
  hasTold = false;

  /** Of the grace. */
  private timer: WakeTimer | null = null;
  private controller: AbortController | null = null;
  private stopReason: Error | null = null;
  private stoppedMs: number | null = null;
  private cutShortMs: number | null = null;
  private isGivenUp = false;
  private isOver = false;
  private onGivenUp: ((ending: null) => void) | null = null;
  private readonly clock: Clock;
  private readonly shutdownGraceMs: number;

  constructor({ held, definition, clock, shutdownGraceMs }: AttemptOptions) {
    this.held = held;
    this.definition = definition;
    this.clock = clock;
    this.shutdownGraceMs = shutdownGraceMs;
    this.startedMs = clock.monotonicMs();
    this.startedAt = held.databaseTime(clock, this.startedMs);
  }

  /** Made when somebody asks for it: most handlers do not, and it costs more than the rest of the attempt. */
  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.stopReason !== null) this.controller.abort(this.stopReason);
    }
    return this.controller.signal;
  }

  /** Whether the signal has fired. */
  get isAborted(): boolean {
    return this.stopReason !== null;
  }

  /** When its time is over, by the monotonic clock. */
  get timeoutAtMs(): number {
    return this.startedMs + this.definition.timeoutMs;
  }

  get key(): string {
    return this.held.claimed.key;
  }

  get durationMs(): number {
    return Math.round(this.clock.monotonicMs() - this.startedMs);
  }

  /** How long the handler may take to stop once its signal fired. */
  get graceMs(): number {
    const { abortGraceMs } = this.definition;
    return this.stopCause === 'shutdown' ? Math.min(abortGraceMs, this.shutdownGraceMs) : abortGraceMs;
  }

  /** How long the handler had to stop: its grace, or what a forced stop left of it. */
  get grantedMs(): number {
    return this.cutShortMs ?? this.graceMs;
  }

  /** Database time. */
  now(): Date {
    return this.held.databaseTime(this.clock);
  }

  count(counts: Partial<Counts>): void {
    this.counts = addCounts(this.counts, counts);
  }

  /**
   * Waits for the handler. Null = nobody waits any longer, because the lease is lost or the grace after the signal has
   * passed.
   * @param handled Never rejects.
   * @param settled Called when the handler has settled, waited for or not.
   */
  ending<T>(handled: Promise<T>, settled?: () => void): Promise<T | null> {
    return new Promise((resolve) => {
      this.onGivenUp = resolve;
      if (this.isGivenUp) resolve(null);
      const end = (ending: T): void => {
        settled?.();
        resolve(ending);
      };
      void handled.then(end);
    });
  }

  /** From now on the lease can end it. */
  begin(): void {
    this.held.startedAt = this.startedAt;
    this.held.watch(this);
  }

  cancelRequested(): void {
    this.stop('cancel');
  }

  lost(): void {
    this.end();
    this.abandon();
    this.abort(new LeaseLostError(this.key, this.held.lease.leaseToken));
  }

  /** Asks the handler to stop; the first cause counts. A request that comes while the end is recorded is the ledger's to judge. */
  stop(cause: StopCause): void {
    if (this.isOver || this.stopCause !== null || this.held.isLost) return;
    this.stopCause = cause;
    this.stoppedMs = this.clock.monotonicMs();
    this.timer = createWakeTimer();
    this.timer.set(this.graceMs, () => this.abandon());
    this.abort(this.reason(cause));
  }

  /** From now on nobody waits for the handler. */
  abandon(): void {
    this.isGivenUp = true;
    this.onGivenUp?.(null);
  }

  /** Nobody waits any longer, whatever is left of the grace. */
  cutShort(): void {
    if (this.isGivenUp) return;
    if (this.stoppedMs !== null) {
      const sinceMs = Math.round(this.clock.monotonicMs() - this.stoppedMs);
      this.cutShortMs = Math.min(this.graceMs, sinceMs);
    }
    this.abandon();
  }

  /** It is over: its timer may not fire any more. */
  end(): void {
    this.isOver = true;
    this.timer?.clear();
  }

  private abort(reason: Error): void {
    this.stopReason ??= reason;
    this.controller?.abort(this.stopReason);
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
