import type { Clock } from '../core/ports/clock.js';
import type { Attempt } from './attempt.js';
import type { ChurnMap } from './churn-map.js';

/** A longer `setTimeout` fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Asks attempts to stop when their time is over. One timer for all of them, because most end long before. */
export class AttemptTimeouts {
  private timer: NodeJS.Timeout | undefined;
  private nextMs = Number.POSITIVE_INFINITY;

  constructor(
    private readonly going: ChurnMap<Attempt>,
    private readonly clock: Clock,
  ) {}

  watch({ timeoutAtMs }: Attempt): void {
    if (timeoutAtMs < this.nextMs) this.lookAt(timeoutAtMs);
  }

  private look(): void {
    const nowMs = this.clock.monotonicMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const attempt of this.going.values()) {
      if (attempt.timeoutAtMs <= nowMs) attempt.stop('timeout');
      else nextMs = Math.min(nextMs, attempt.timeoutAtMs);
    }
    this.lookAt(nextMs);
  }

  private lookAt(atMs: number): void {
    clearTimeout(this.timer);
    this.nextMs = atMs;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const inMs = Math.min(Math.max(Math.ceil(atMs - this.clock.monotonicMs()), 1), MAX_DELAY_MS);
    // It may outlive the attempt that it was set for, and then must not keep the process.
    this.timer = setTimeout(() => this.look(), inMs).unref();
  }
}
