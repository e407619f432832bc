/** How many things a run handled, as the handler or `run.items` counts them. */
export interface Counts {
  readonly processed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NO_COUNTS: Counts = { processed: 0, failed: 0, skipped: 0 };

/** The sum of two counts; members left out count as zero. */
export const addCounts = (a: Counts, b: Partial<Counts>): Counts => ({
  processed: a.processed + (b.processed ?? 0),
  failed: a.failed + (b.failed ?? 0),
  skipped: a.skipped + (b.skipped ?? 0),
});
