/** Which dead letters to group. Members left out do not filter. */
export interface DeadLetterGroupQuery {
  readonly job?: string;
  readonly queue?: string;
}

/** Dead letters with the same kind of error. */
export interface DeadLetterGroup {
  /** Null = they have none: those that a deadline or a lost worker ended. */
  readonly fingerprint: string | null;
  readonly errorClass: string | null;
  readonly errorCode: string | null;
  /** Of the newest one's last attempt, its first line, at most 500 characters. */
  readonly message: string | null;
  readonly count: number;
  /** By name, at most ten. */
  readonly jobs: readonly string[];
  /** When the first of them failed. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The key of the newest one. */
  readonly exampleKey: string;
}

/** Dead letters by kind of error. */
export interface DeadLetterGroups {
  /** The largest first, at most 100. */
  readonly items: readonly DeadLetterGroup[];
  /** Only the newest 10,000 dead letters were looked at, or there are more groups. */
  readonly capped: boolean;
}

/** Reads dead letters as a whole. */
export interface DeadLetterReader {
  groups(query: DeadLetterGroupQuery): Promise<DeadLetterGroups>;
}
