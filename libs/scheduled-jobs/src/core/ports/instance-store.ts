/** What a process does; one that has no role enqueues and looks. */
export const INSTANCE_ROLES = ['scheduler', 'worker'] as const;
export type InstanceRole = (typeof INSTANCE_ROLES)[number];

/** What a process says about itself. */
export interface InstanceFacts {
  /** Where it runs, and different from every other one there ever was. */
  readonly instanceId: string;
  readonly roles: readonly InstanceRole[];
  /** The name under which it holds leases; null = it does not claim. */
  readonly workerId: string | null;
  /** Of this package. */
  readonly version: string;
  /** Equal for equal definitions of all jobs. */
  readonly definitionsDigest: string;
  /** The version of the time-zone data. */
  readonly zoneData: string | null;
}

/** A process that was seen within the last day. */
export interface Instance extends InstanceFacts {
  readonly startedAt: Date;
  /** It says so about every 30 s. */
  readonly seenAt: Date;
  /** Null = it has not said so: it lives, or has gone without a word. */
  readonly stoppedAt: Date | null;
}

/** Which processes there are. */
export interface InstanceStore {
  /** Notes that a process is alive. */
  seen(facts: InstanceFacts, now: Date | null): Promise<void>;
  /** Notes that a process has stopped; waits for the database at most some 2 s. */
  stopped(instanceId: string, now: Date | null): Promise<void>;
  /** The last seen first, at most 1,000. */
  list(): Promise<readonly Instance[]>;
  /** Removes instances that have not been seen for a day, 1,000 at most. */
  removeUnseen(now: Date | null): Promise<number>;
}
