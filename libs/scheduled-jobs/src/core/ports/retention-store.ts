/** Removes ended executions that are old enough. */
export interface RetentionStore {
  /** Names of all registered jobs that keep their executions for a limited time. */
  jobNames(): Promise<readonly string[]>;
  /**
   * Removes up to `limit` executions of one job that ended longer ago than its retention for their state, with their
   * attempts, items, steps, checkpoints and logs. Their keys stay for ever.
   * @returns How many it removed; fewer than `limit` = nothing more is old enough.
   */
  prune(jobName: string, limit: number, now: Date | null): Promise<number>;
}
