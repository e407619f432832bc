import { setTimeout as pause } from 'node:timers/promises';
import { NamedLeaseLostError } from '../core/errors.js';
import type { LeaseHolder } from '../core/ports/lease-store.js';
import { NamedLease, type NamedLeaseDependencies } from './named-lease.js';
import { createWorkerId } from './worker-id.js';

/** A held lease as its section sees it. */
export interface LeaseSection<Tx> {
  readonly name: string;
  /**
   * Greater than that of every earlier holder: hand it to other systems, so that they can refuse a holder that was
   * overtaken.
   */
  readonly leaseToken: string;
  /** By the database's clock. */
  readonly acquiredAt: Date;
  /** Aborts with NamedLeaseLostError when the lease is lost: stop, and roll back. */
  readonly signal: AbortSignal;
  /**
   * Checks in your transaction that the lease is still held; until that transaction ends nobody can take it. Call it
   * last, right before the commit: the server ends the transaction when nothing is sent for longer than the `ttl`, unless
   * `idle_in_transaction_session_timeout` is set. A REPEATABLE READ or SERIALIZABLE transaction sees the lease as it was
   * when it first looked at the database, without later renewals, so it has to reach the fence within the `ttl`; if the
   * lease was freed meanwhile, the database raises 40001.
   * @throws NamedLeaseLostError, after which the transaction has to be rolled back.
   */
  fence(tx: Tx): Promise<void>;
}

/** What became of a section: its value, or who holds the lease. */
export type LeaseResult<T> =
  { readonly acquired: true; readonly value: T } | ({ readonly acquired: false } & LeaseHolder);

/** How a lease is asked for, milliseconds. */
export interface LeaseTiming {
  /** How long it lasts without a renewal. */
  readonly ttlMs: number;
  /** How long to go on asking while somebody else holds it. */
  readonly waitMs: number;
}

const ASK_EVERY_MS = 1_000;

/**
 * Critical sections under named leases. One holder at a time as the database's clock has it; a holder that froze and
 * wakes when its time is over hears of it by its signal and is refused by the fence.
 */
export class NamedLeases<Tx> {
  private readonly holder = createWorkerId();

  constructor(private readonly dependencies: NamedLeaseDependencies<Tx>) {}

  /**
   * Runs `section` while it holds the lease.
   * @throws what `section` throws; NamedLeaseLostError, once it has settled, when the lease was lost meanwhile, with the
   * error of the section as its cause; StoreUnavailableError when the lease cannot be asked for.
   */
  async withLease<T>(
    name: string,
    timing: LeaseTiming,
    section: (lease: LeaseSection<Tx>) => Promise<T>,
  ): Promise<LeaseResult<T>> {
    const answer = await this.acquire(name, timing);
    if (!answer.acquired) return answer;
    const { lease } = answer;
    lease.start();
    try {
      return { acquired: true, value: await run(lease, section) };
    } finally {
      await lease.end();
    }
  }

  /** Asks at once, and then every second as long as it may. */
  private async acquire(
    name: string,
    { ttlMs, waitMs }: LeaseTiming,
  ): Promise<
    { readonly acquired: true; readonly lease: NamedLease<Tx> } | ({ readonly acquired: false } & LeaseHolder)
  > {
    const { store, clock } = this.dependencies;
    const untilMs = clock.monotonicMs() + waitMs;
    for (;;) {
      const sentMs = clock.monotonicMs();
      const answer = await store.acquire({ name, holder: this.holder, ttlMs, now: clock.boundNow() });
      if (answer.acquired) return { acquired: true, lease: new NamedLease(answer.lease, this.dependencies, sentMs) };
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs <= 0) return answer;
      await pause(Math.ceil(Math.min(leftMs, ASK_EVERY_MS)));
    }
  }
}

async function run<Tx, T>(lease: NamedLease<Tx>, section: (lease: LeaseSection<Tx>) => Promise<T>): Promise<T> {
  lease.loseIfOver();
  lease.signal.throwIfAborted(); // It took longer to ask for it than it lasts.
  const { name, leaseToken, acquiredAt } = lease.held;
  const fence = (tx: Tx): Promise<void> => lease.fence(tx);
  try {
    const value = await section({ name, leaseToken, acquiredAt, signal: lease.signal, fence });
    lease.loseIfOver();
    lease.signal.throwIfAborted();
    return value;
  } catch (error) {
    lease.loseIfOver();
    if (!lease.signal.aborted || error === lease.signal.reason) throw error;
    throw new NamedLeaseLostError(name, leaseToken, { cause: error });
  }
}
