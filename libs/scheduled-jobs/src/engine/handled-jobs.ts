import type { Clock } from '../core/ports/clock.js';
import type { WorkStore } from '../core/ports/work-store.js';
import { jittered } from './jittered.js';

export interface HandledJobsDependencies {
  readonly store: Pick<WorkStore, 'handle'>;
  readonly clock: Clock;
  readonly jobNames: readonly string[];
}

const INTERVAL_MS = 30_000;

/** Says about every 30 s that a live worker handles its jobs: executions of jobs that nobody handles are put aside. */
export class HandledJobs {
  private dueMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly dependencies: HandledJobsDependencies) {}

  /** Says so if it is time; gives the milliseconds until it is time again. */
  async tell(): Promise<number> {
    const { store, clock, jobNames } = this.dependencies;
    if (clock.monotonicMs() >= this.dueMs) {
      await store.handle(jobNames, clock.boundNow());
      this.dueMs = clock.monotonicMs() + jittered(INTERVAL_MS);
    }
    return Math.max(this.dueMs - clock.monotonicMs(), 0);
  }
}
