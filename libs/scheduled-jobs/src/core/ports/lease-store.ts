/** A named lease that this process holds. */
export interface HeldLease {
  readonly name: string;
  /** Greater than that of every earlier holder of any name: other systems may refuse writes with a smaller one. */
  readonly leaseToken: string;
  readonly leaseUntil: Date;
}

/** Who holds a named lease that somebody else wanted. */
export interface LeaseHolder {
  readonly holder: string;
  readonly leaseUntil: Date;
}

/** Named leases, decided by the database's clock. */
export interface LeaseStore {
  /** Takes a free lease, or one whose time is over; else tells who holds it. */
  acquire(request: {
    readonly name: string;
    readonly holder: string;
    readonly ttlMs: number;
    readonly now: Date | null;
  }): Promise<{ readonly acquired: true; readonly lease: HeldLease } | ({ readonly acquired: false } & LeaseHolder)>;
  /** Gives the new end; null = the lease is lost: its time was over, or another holder has taken it. */
  renew(lease: HeldLease, ttlMs: number, now: Date | null): Promise<Date | null>;
  /** Frees it, if it is still this holder's. */
  release(lease: HeldLease): Promise<void>;
}
