import { NamedLeaseLostError } from '../core/errors.js';
import type { EventSink } from '../core/events/engine-event.js';
import type { Clock } from '../core/ports/clock.js';
import type { HeldLease, LeaseStore } from '../core/ports/lease-store.js';
import { FailurePause } from './failure-pause.js';
import { Loop } from './loop.js';
import { createWakeTimer } from './wake-timer.js';
import { within } from './within.js';

export interface NamedLeaseDependencies<Tx> {
  readonly store: LeaseStore<Tx>;
  readonly clock: Clock;
  readonly emit: EventSink;
}

/** Whoever waits for the end of a section must not wait for a database that does not answer. */
const END_MS = 5_000;
/** There is nothing to renew any more. */
const IDLE_MS = 3_600_000;

/**
 * A named lease while its section runs: renewed whenever a third of its time is over.
 *
 * It is lost when the database refuses a renewal or a fence, or when no renewal was answered for its whole time, by the
 * monotonic clock from the moment before the last request that succeeded was sent: the database's time for it began
 * later, so it cannot end sooner. A renewal that hangs never ends its turn, and a blocked loop starts none, so the end
 * has a timer of its own and is looked at once more when the section has ended.
 */
export class NamedLease<Tx> {
  private readonly lostness = new AbortController();
  private readonly expiryTimer = createWakeTimer();
  private readonly loop: Loop;
  /** Until when it certainly lasts, by the monotonic clock. */
  private endMs: number;

  /** @param sentMs When it was asked for, by the monotonic clock. */
  constructor(
    readonly held: HeldLease,
    private readonly dependencies: NamedLeaseDependencies<Tx>,
    sentMs: number,
  ) {
    this.endMs = sentMs + held.ttlMs;
    this.loop = new Loop({
      service: `renewal of the lease "${held.name}"`,
      turn: () => this.turn(),
      emit: dependencies.emit,
      pause: new FailurePause({ maxMs: held.ttlMs / 3 }),
    });
  }

  /** Aborts with NamedLeaseLostError. */
  get signal(): AbortSignal {
    return this.lostness.signal;
  }

  start(): void {
    this.watchEnd();
    this.loop.start();
  }

  /**
   * Asks in the caller's transaction whether the lease is still held.
   * @throws NamedLeaseLostError
   */
  async fence(tx: Tx): Promise<void> {
    this.loseIfOver();
    const { store, clock } = this.dependencies;
    if (!this.signal.aborted && !(await store.fence(this.held, tx, clock.boundNow()))) this.lose();
    this.signal.throwIfAborted();
  }

  /** Notes that its time is over, whether or not a timer could say so. */
  loseIfOver(): void {
    if (this.leftMs <= 0) this.lose();
  }

  /**
   * Renews it no more and frees it; never throws. What the database is not told of within 5 s runs out by itself, and
   * nobody waits for a lease that is lost.
   */
  async end(): Promise<void> {
    this.expiryTimer.clear();
    const freed = this.free();
    if (!this.signal.aborted) await within(END_MS, freed);
  }

  private async free(): Promise<void> {
    try {
      await this.loop.stop();
      await this.dependencies.store.release(this.held);
    } catch {
      // It runs out by itself.
    }
  }

  private async turn(): Promise<number> {
    const { store, clock } = this.dependencies;
    if (this.signal.aborted) return IDLE_MS;
    const sentMs = clock.monotonicMs();
    const { ttlMs } = this.held;
    const dueInMs = this.endMs - (ttlMs * 2) / 3 - sentMs;
    if (dueInMs > 0) return dueInMs;
    if (await store.renew(this.held, clock.boundNow())) this.endMs = Math.max(this.endMs, sentMs + ttlMs);
    else this.lose();
    return Math.max(sentMs + ttlMs / 3 - clock.monotonicMs(), 1);
  }

  private get leftMs(): number {
    return this.endMs - this.dependencies.clock.monotonicMs();
  }

  private watchEnd(): void {
    this.loseIfOver();
    if (!this.signal.aborted) this.expiryTimer.set(this.leftMs, () => this.watchEnd());
  }

  private lose(): void {
    if (this.signal.aborted) return;
    this.expiryTimer.clear();
    this.lostness.abort(new NamedLeaseLostError(this.held.name, this.held.leaseToken));
  }
}
