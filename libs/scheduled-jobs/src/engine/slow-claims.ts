import type { Clock } from '../core/ports/clock.js';
import type { WorkStore } from '../core/ports/work-store.js';

/** Of fewer executions the planner's mistake costs little. */
const MANY = 50;
const SLOW_MS = 20;
const REST_MS = 60_000;

/**
 * Has the database look at its work anew when a claim of many executions took long: by statistics that are older than a burst
 * it reads all that is ready for each claim. At most once a minute, beside the work, and without harm when it fails: then
 * claims are slow until the database does it by itself.
 */
export class SlowClaims {
  private nextMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: Pick<WorkStore, 'refreshStatistics'>,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  claimed(count: number, tookMs: number): void {
    const nowMs = this.clock.monotonicMs();
    if (count < MANY || tookMs < SLOW_MS || nowMs < this.nextMs) return;
    this.nextMs = nowMs + REST_MS;
    void this.store.refreshStatistics().catch(() => undefined);
  }
}
