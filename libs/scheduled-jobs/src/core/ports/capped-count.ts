/** A count that goes no further than a limit. */
export interface CappedCount {
  readonly count: number;
  /** There may be more. */
  readonly capped: boolean;
}
