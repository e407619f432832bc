/** What failed in a pass. */
export interface DutyFailure {
  readonly duty: string;
  readonly error: unknown;
}

/** One pass of duties: one that fails does not keep the next ones from being done, and after the end none is begun. */
export class PassOfDuties {
  readonly failures: DutyFailure[] = [];

  constructor(private readonly signal: AbortSignal) {}

  /** @returns what the duty gives; `otherwise` when it failed or was not begun. */
  async attempt<T>(duty: string, work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return this.signal.aborted ? otherwise : await work();
    } catch (error) {
      this.failures.push({ duty, error });
      return otherwise;
    }
  }
}
