/** Which executions of one job to look at: those with `from` ≤ `scheduledFor` < `to`. */
export interface StatisticsRequest {
  readonly jobName: string;
  readonly from: Date;
  readonly to: Date;
}

/** Percentiles of one duration, milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** One stretch of the window. */
export interface StatisticsBucket {
  readonly from: Date;
  readonly succeeded: number;
  readonly completedWithErrors: number;
  readonly failed: number;
  readonly canceled: number;
  readonly skipped: number;
  /** Of the last attempts of what ran to an end; null = nothing did. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Of what was started; null = nothing was. */
  readonly startDelayP50Ms: number | null;
  readonly startDelayP95Ms: number | null;
}

/** What became of the executions of one job, by executions and not by attempts. */
export interface JobStatistics {
  readonly jobName: string;
  /** The window: `scheduledFor` at or after. */
  readonly from: Date;
  /** … and before. */
  readonly to: Date;
  /** Executions that were looked at. What retention has removed is not among them. */
  readonly rows: number;
  /** There are more than 20,000 in the window: only the newest were looked at. */
  readonly capped: boolean;
  /** The `scheduledFor` of the oldest one that was looked at; null = there is none. */
  readonly oldestAt: Date | null;
  readonly executions: {
    readonly succeeded: number;
    readonly completedWithErrors: number;
    readonly failed: number;
    readonly canceled: number;
    readonly skipped: number;
    /** Those that have not ended. */
    readonly open: number;
  };
  /** Succeeded ÷ (succeeded + completed with errors + failed), 0 … 1; null = none of these. */
  readonly successRate: number | null;
  /** Counted calls of the handler, of executions that have ended. */
  readonly attempts: number;
  /** Those after the first of each. */
  readonly retries: number;
  readonly lostLeases: number;
  /** Of the last attempt of each execution that ran to an end of its own; null = none did. */
  readonly durationMs: Percentiles | null;
  /** From `scheduledFor` to the first start, of executions that have ended; null = none was started. */
  readonly startDelayMs: Percentiles | null;
  /** Items, as far as handlers count them. */
  readonly processed: number;
  readonly failedItems: number;
  readonly skippedItems: number;
  /** Processed items ÷ seconds of the attempts that processed them; null = none were. */
  readonly throughputPerSecond: number | null;
  /** Milliseconds of one bucket. */
  readonly bucketMs: number;
  /** All of the window, or from the oldest row on when `capped`; at most 200. */
  readonly buckets: readonly StatisticsBucket[];
  /** Changes of its schedule in the window, the newest 50, oldest first. */
  readonly versions: readonly { readonly at: Date; readonly version: number }[];
}

/** Reads what became of many executions. */
export interface StatisticsReader {
  ofJob(request: StatisticsRequest): Promise<JobStatistics>;
}
