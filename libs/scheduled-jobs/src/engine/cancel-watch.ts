import type { EventSink } from '../core/events/engine-event.js';
import type { Clock } from '../core/ports/clock.js';
import type { WorkStore } from '../core/ports/work-store.js';
import { ChurnMap } from './churn-map.js';
import { FailurePause } from './failure-pause.js';
import type { HeldExecution } from './held-execution.js';
import { Loop } from './loop.js';

export interface CancelWatchDependencies {
  readonly store: Pick<WorkStore, 'cancelRequests'>;
  readonly clock: Clock;
  readonly emit: EventSink;
}

/** A little less than the second within which a handler hears of a request, because its answer takes time as well. */
const LOOK_EVERY_MS = 900;
/** Hints come as often as people cancel: the statements do not. */
const HINTED_LOOK_MS = 50;
/** Nothing is held: the next execution wakes the loop. */
const IDLE_MS = 3_600_000;

/**
 * Looks for requests to cancel what this worker holds: one statement a second, and none while it holds nothing, or nothing
 * for that long. Renewals carry the same news, but come too seldom to stop anything soon. A hint makes the next look come
 * sooner and may get lost.
 */
export class CancelWatch {
  private readonly held = new ChurnMap<HeldExecution>();
  private readonly loop: Loop;
  /** The last look, or since when there has been something to look at. */
  private lookedMs = 0;
  private isHinted = false;

  constructor(private readonly dependencies: CancelWatchDependencies) {
    this.loop = new Loop({
      service: 'cancel-watch',
      turn: () => this.turn(),
      emit: dependencies.emit,
      pause: new FailurePause({ maxMs: LOOK_EVERY_MS }),
    });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stopSoon();
  }

  /** Somebody has canceled something, perhaps something of this worker. */
  wake(): void {
    this.isHinted = true;
    this.loop.wake();
  }

  hold(execution: HeldExecution): void {
    this.held.set(execution.no, execution);
    if (this.held.size > 1) return;
    this.lookedMs = this.dependencies.clock.monotonicMs();
    this.loop.wake();
  }

  drop(execution: HeldExecution): void {
    this.held.delete(execution.no);
  }

  private async turn(): Promise<number> {
    const { clock } = this.dependencies;
    if (this.held.size === 0) {
      this.isHinted = false;
      return IDLE_MS;
    }
    const everyMs = this.isHinted ? HINTED_LOOK_MS : LOOK_EVERY_MS;
    const inMs = this.lookedMs + everyMs - clock.monotonicMs();
    if (inMs > 0) return inMs;
    this.isHinted = false;
    this.lookedMs = clock.monotonicMs();
    await this.look();
    return LOOK_EVERY_MS;
  }

  private async look(): Promise<void> {
    const asked = this.held.values();
    const requests = await this.dependencies.store.cancelRequests(asked.map(({ lease }) => lease));
    const tokens = new Set(requests.map(({ leaseToken }) => leaseToken));
    for (const execution of asked) if (tokens.has(execution.lease.leaseToken)) execution.requestCancel();
  }
}
