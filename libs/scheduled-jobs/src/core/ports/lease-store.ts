/** A named lease that this process holds. */
export interface HeldLease {
  readonly name: string;
  /**
   * Greater than that of every earlier holder of the name, and than all tokens, of other names and of executions, that
   * were given before this one was asked for: other systems may refuse writes with a smaller one.
   */
  readonly leaseToken: string;
  /** How long it lasts without a renewal, milliseconds. */
  readonly ttlMs: number;
  /** By the database's clock. */
  readonly acquiredAt: Date;
}

/** Who holds a named lease that somebody else wanted. */
export interface LeaseHolder {
  /** Host, process id and a random part. */
  readonly holder: string;
  /** In the past when the holder's transaction has passed its fence and not yet ended: nobody may take it before that. */
  readonly leaseUntil: Date;
  /** The database's time of this answer. */
  readonly now: Date;
}

/** A request for a named lease. */
export interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
  readonly now: Date | null;
}

/** Named leases, decided by the database's clock: one holder of a name at a time. */
export interface LeaseStore<Tx> {
  /** Takes a free lease, or one whose time is over; else tells who holds it. */
  acquire(
    request: LeaseRequest,
  ): Promise<{ readonly acquired: true; readonly lease: HeldLease } | ({ readonly acquired: false } & LeaseHolder)>;
  /** Makes it last its full time again; false = it is lost: its time was over, or another holder has taken it. */
  renew(lease: HeldLease, now: Date | null): Promise<boolean>;
  /** Frees it, if it is still this holder's and no open transaction has passed its fence; else it runs out by itself. */
  release(lease: HeldLease): Promise<void>;
  /**
   * Tells in the caller's transaction whether the lease is still held. If so, nobody takes it before that transaction
   * ends, which the server ends itself when it is silent for longer than the lease lasts, unless the host has its own
   * `idle_in_transaction_session_timeout`.
   */
  fence(lease: HeldLease, tx: Tx, now: Date | null): Promise<boolean>;
  /** Removes up to `limit` leases that have run out; how many it removed. */
  removeExpired(limit: number, now: Date | null): Promise<number>;
}
