/** How a service pauses after failures in a row. */
export interface FailurePauseOptions {
  /** The first pause. Default 100 ms. */
  readonly firstMs?: number;
  /** The longest pause. Default 30 s. */
  readonly maxMs?: number;
  /** 0 … 1; default `Math.random`. */
  readonly random?: () => number;
}

/**
 * Pauses that double from failure to failure, each between a half and the whole of its nominal length, so that processes
 * which failed together do not come back together.
 */
export class FailurePause {
  private failures = 0;

  constructor(private readonly options: FailurePauseOptions = {}) {}

  /** The pause after one more failure, in whole milliseconds. */
  next(): number {
    const { firstMs = 100, maxMs = 30_000, random = Math.random } = this.options;
    const nominalMs = Math.min(firstMs * 2 ** Math.min(this.failures++, 30), maxMs);
    return Math.ceil(nominalMs * (0.5 + random() / 2));
  }

  /** The next failure is a first one again. */
  reset(): void {
    this.failures = 0;
  }
}
