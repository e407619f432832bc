/** What a step is given. */
export interface StepContext {
  /**
   * The same in every attempt, rescue, retry and replay, and different from that of any other step or execution: send it
   * along with the step's calls to other systems. It is `<step name>/<key of the execution>`, such as
   * `charge/orders:4711`, the name percent-encoded.
   */
  readonly idempotencyKey: string;
  /** The signal of the run. */
  readonly signal: AbortSignal;
}

/** The work of a step. */
export type StepWork<T> = (step: StepContext) => Promise<T> | T;

/** The work of a step that changes the database. */
export type TransactionStepWork<T, Tx> = (tx: Tx, step: StepContext) => Promise<T> | T;
