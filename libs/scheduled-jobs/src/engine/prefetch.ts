/** The work that the buffer may hold, in time. */
const HORIZON_MS = 50;
/** Claimed in halves: a claim of 1,000 costs a tenth less a row than one of 500; more would cost memory. */
const MAX_SIZE = 2_000;
/** How much the latest attempt weighs in the average. */
const WEIGHT = 0.2;

/**
 * How many executions to claim ahead, so that short jobs do not wait for a round trip each. About 50 ms of work, learned
 * from the attempts themselves; nothing until the first one has ended, and nothing for long jobs, which other workers
 * could start meanwhile.
 */
export class Prefetch {
  private averageMs: number | null = null;

  constructor(private readonly concurrency: number) {}

  get size(): number {
    if (this.averageMs === null || this.averageMs >= HORIZON_MS) return 0;
    return Math.min(Math.floor((this.concurrency * HORIZON_MS) / Math.max(this.averageMs, 0.1)), MAX_SIZE);
  }

  note(durationMs: number): void {
    this.averageMs = this.averageMs === null ? durationMs : this.averageMs + WEIGHT * (durationMs - this.averageMs);
  }
}
