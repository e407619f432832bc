import type { Lease } from '../execution/claimed-execution.js';

/** A started execution whose lease the thread renews when the event loop cannot. */
export interface SharedLease extends Lease {
  /** Database time at which its attempt started. */
  readonly startedAt: Date;
  readonly leaseMs: number;
  /** For how long of one silence of the event loop it is renewed, milliseconds. */
  readonly blockedLoopLimitMs: number;
}

/** How the thread looks after the event loop. */
export interface KeeperThreadSettings {
  /** Leases that can be shared at the same time; what is beyond is renewed by the event loop alone. */
  readonly capacity: number;
  /** How often the thread looks whether the event loop has turned, milliseconds. */
  readonly checkEveryMs: number;
}

/**
 * Renews leases from a thread of its own while the event loop is blocked. What is shared costs no message: both sides look
 * at the same memory.
 */
export interface KeeperThread {
  /** Why there can be no thread, so that nothing is shared; null = there can be one. */
  readonly problem: string | null;
  /** The first lease that is shared starts the thread. */
  start(settings: KeeperThreadSettings): void;
  /** Ends the thread; safe to call twice. */
  stop(): Promise<void>;
  /** Says that the event loop turns. */
  turned(): void;
  /** Where the lease is shared; null = nowhere. */
  share(lease: SharedLease): number | null;
  unshare(place: number): void;
  /** How long ago the thread sent the latest renewal of this lease that was answered, milliseconds; null = it sent none. */
  renewedAgoMs(place: number, lease: Lease): number | null;
}
