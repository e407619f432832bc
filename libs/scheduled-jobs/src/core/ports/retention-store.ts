/** How far a walk over the executions of a job has come, from the earliest nominal time on. */
export interface PrunePosition {
  readonly scheduledFor: Date;
  readonly executionId: string;
}

/** One step of a walk. */
export interface PruneRequest {
  readonly jobName: string;
  /** Null = from the beginning. */
  readonly after: PrunePosition | null;
  /** Executions to look at, at least 2: it removes no more than that. */
  readonly limit: number;
  readonly now: Date | null;
}

/** What one step of a walk did. */
export interface PruneStep {
  readonly removed: number;
  /** Where to go on; null = nothing that is old enough lies beyond. */
  readonly next: PrunePosition | null;
}

/** Removes ended executions that are old enough. */
export interface RetentionStore {
  /** Names of all registered jobs that keep executions of some state for a limited time, in order. */
  jobNames(): Promise<readonly string[]>;
  /**
   * Looks at executions of one job in the order of their nominal times and removes those that ended longer ago than the
   * job keeps their state, with their attempts, items, checkpoints and logs. Their keys stay for ever. It waits for no
   * lock: what somebody else holds is left to the next walk.
   */
  prune(request: PruneRequest): Promise<PruneStep>;
}

/** Tells what retention would let go. */
export interface RetentionPreview {
  /** How many executions of a job are old enough to be removed, counted up to `atMost`. */
  countPrunable(jobName: string, atMost: number, now: Date | null): Promise<number>;
}
