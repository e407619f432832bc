/** The span of one tick. It begins with the first execution that the tick plans: one that plans none has no span. */
export interface TickSpan {
  /** The W3C traceparent that all executions of the tick shall carry; null = none. Never throws. */
  traceParent(): string | null;
  end(made: { readonly inserted: number; readonly skipped: number }): void;
  /** The tick was rolled back. */
  fail(error: unknown): void;
}

/** Puts a span around each tick that plans something. */
export interface TickTracer {
  tick(): TickSpan;
}
