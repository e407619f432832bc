/** Who asks for something by hand, and why. */
export interface OperatorRequest {
  /** Null = nobody in particular. */
  readonly actor: string | null;
  readonly reason: string | null;
  /** Null = the database's time. */
  readonly now: Date | null;
}
