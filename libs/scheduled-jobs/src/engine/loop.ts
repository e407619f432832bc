import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises';
import type { EventSink } from '../core/events/engine-event.js';
import { FailurePause } from './failure-pause.js';
import { createWakeTimer, type WakeTimer } from './wake-timer.js';
import { within } from './within.js';

export interface LoopOptions {
  /** Names the service in `service.failed`. */
  readonly service: string;
  /** One turn of work; gives the milliseconds until the next, 0 = at once. */
  readonly turn: () => Promise<number>;
  readonly emit: EventSink;
  readonly timer?: WakeTimer | undefined;
  readonly pause?: FailurePause;
}

const STOP_MS = 5_000;

/**
 * The shape of every service: turns of work with pauses between them.
 *
 * Never two turns at once. `wake` makes the next turn come sooner, also when it is called during a turn, but never cuts
 * short the pause after a failure: a flood of hints must not become a flood of failing statements. `stop` waits for the
 * turn that is going on. `start` and `stop` are safe twice and in any order.
 */
export class Loop {
  private readonly timer: WakeTimer;
  private readonly pause: FailurePause;
  // Turns must not carry on the context of whoever woke the loop: a run, a request, a trace.
  private readonly scope = new AsyncResource('nestjs-scheduled-jobs.loop');
  private running = false;
  private pausing = false;
  private wakeAsked = false;
  private turning: Promise<void> | null = null;

  constructor(private readonly options: LoopOptions) {
    this.timer = options.timer ?? createWakeTimer();
    this.pause = options.pause ?? new FailurePause();
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    this.pausing = false;
    this.wake();
  }

  wake(): void {
    this.wakeAsked = true;
    if (!this.running || this.pausing || this.turning !== null) return;
    this.timer.clear();
    this.turning = this.scope.runInAsyncScope(() => this.takeTurns());
  }

  async stop(): Promise<void> {
    this.running = false;
    this.timer.clear();
    await this.turning;
  }

  /** Stops, but waits at most 5 s: a database that does not answer must not keep the process. */
  stopSoon(): Promise<void> {
    return within(STOP_MS, this.stop());
  }

  private async takeTurns(): Promise<void> {
    let delayMs = 0;
    while (this.running && delayMs <= 0) {
      this.wakeAsked = false;
      delayMs = await this.takeTurn();
      if (this.wakeAsked && !this.pausing) delayMs = 0;
      // Others get their turn too when there is always more to do.
      if (delayMs <= 0) await nextTurnOfEventLoop();
    }
    this.turning = null;
    if (this.running) this.timer.set(delayMs, () => this.wakeByTimer());
  }

  private async takeTurn(): Promise<number> {
    try {
      const delayMs = await this.options.turn();
      this.pause.reset();
      return delayMs;
    } catch (error) {
      const retryInMs = this.pause.next();
      this.pausing = true;
      this.options.emit({ type: 'service.failed', service: this.options.service, error, retryInMs });
      return retryInMs;
    }
  }

  private wakeByTimer(): void {
    this.pausing = false;
    this.wake();
  }
}
