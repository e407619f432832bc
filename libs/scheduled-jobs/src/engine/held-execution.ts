import type { ClaimedExecution, Lease } from '../core/execution/claimed-execution.js';
import type { Clock } from '../core/ports/clock.js';

/** Who has to know when something happens to the lease of a held execution. */
export interface LeaseWatcher {
  lost(): void;
  cancelRequested(): void;
}

/** When a claim was sent and when its answer came, by this process's monotonic clock. */
export interface ClaimTiming {
  readonly sentMs: number;
  readonly receivedMs: number;
}

let made = 0;

/** A class, as all that lives as long as an execution: see "Easy to get wrong" in AGENTS.md. */
class HeldLease implements Lease {
  constructor(
    readonly executionId: string,
    readonly leaseToken: string,
  ) {}
}

/**
 * An execution that this worker has claimed and not yet given back, with its lease as far as this process can know it.
 *
 * The database cannot have renewed a lease before the renewal was sent, so the lease lasts at least until
 * `sent + leaseMs`. From then on another worker may have it, and this process must behave as if it did.
 */
export class HeldExecution {
  /** Of this process; each has another one. */
  readonly no = ++made;
  /** Its id: ids grow by one, so a number can hold them exactly. */
  readonly executionNo: number;
  /** Database time at which its attempt started; null = it waits in the buffer. */
  startedAt: Date | null = null;
  /** Its end is being recorded: the row may be gone without the lease having been lost. */
  isEnding = false;
  readonly lease: Lease;

  private leaseEndMs: number;
  private watcher: LeaseWatcher | null = null;
  private lost = false;
  private cancelRequested = false;

  constructor(
    readonly claimed: ClaimedExecution,
    private readonly timing: ClaimTiming,
  ) {
    this.executionNo = Number(claimed.executionId);
    this.lease = new HeldLease(claimed.executionId, claimed.leaseToken);
    this.leaseEndMs = timing.sentMs + claimed.leaseMs;
  }

  get isLost(): boolean {
    return this.lost;
  }

  /** Until when the lease certainly lasts, by the monotonic clock. */
  get leaseUntilMs(): number {
    return this.leaseEndMs;
  }

  /** When a third of the lease is used up, by the monotonic clock: two renewals may still fail. */
  get renewalDueMs(): number {
    return this.leaseEndMs - (this.claimed.leaseMs * 2) / 3;
  }

  /**
   * Database time: the time of the claim plus what the monotonic clock has counted since. One that a test binds stands still,
   * however long a handler takes.
   */
  databaseTime(clock: Clock, monotonicMs = clock.monotonicMs()): Date {
    const boundNow = clock.boundNow();
    if (boundNow !== null) return boundNow;
    return new Date(this.claimed.claimedAt.getTime() + Math.max(monotonicMs - this.timing.receivedMs, 0));
  }

  /** Replaces the watcher; what has happened already is told at once. */
  watch(watcher: LeaseWatcher): void {
    this.watcher = watcher;
    if (this.lost) watcher.lost();
    else if (this.cancelRequested) watcher.cancelRequested();
  }

  renewed(sentMs: number): void {
    this.leaseEndMs = Math.max(this.leaseEndMs, sentMs + this.claimed.leaseMs);
  }

  lose(): void {
    if (this.lost) return;
    this.lost = true;
    this.watcher?.lost();
  }

  requestCancel(): void {
    if (this.cancelRequested || this.lost) return;
    this.cancelRequested = true;
    this.watcher?.cancelRequested();
  }
}
