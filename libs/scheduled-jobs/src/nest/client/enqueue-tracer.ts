/** What is asked for. */
export interface TracedEnqueue {
  readonly operation: 'enqueue' | 'trigger' | 'backfill';
  readonly job: string;
  readonly count: number;
}

/** Puts a span around each enqueue, each trigger and each backfill. */
export interface EnqueueTracer {
  /** Calls `insert` with the W3C traceparent that the executions shall carry; null = none. */
  trace<T>(about: TracedEnqueue, insert: (traceParent: string | null) => Promise<T>): Promise<T>;
}
