import type { Lease } from '../../core/execution/claimed-execution.js';
import type { SharedLease } from '../../core/ports/keeper-thread.js';
import { monotonicMs, type SharedLeases } from './shared-leases.js';

/** A connection for renewals that comes when it is needed. */
export interface RenewalConnection {
  /** Renews leases; connects when it is not connected. Gives those that are still held. */
  renew(leases: readonly SharedLease[]): Promise<readonly Lease[]>;
  /** Gives the connection up, if there is one. */
  close(): Promise<void>;
}

/**
 * What the keeper thread does at each look: nothing while the event loop turns. Once it has been silent for a third of the
 * shortest lease, so that a renewal must be overdue, all leases are renewed each third, every one for as long as its job
 * allows in one silence; then it runs out, and another worker may run the execution. The connection is closed as soon as
 * the event loop turns again.
 */
export class BlockedLoopRenewals {
  private looking = false;
  private renewedMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly leases: SharedLeases,
    private readonly connection: RenewalConnection,
  ) {}

  /** Never rejects because of two looks at once: while one goes on, another does nothing. */
  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      await this.renewOverdue();
    } finally {
      this.looking = false;
    }
  }

  private async renewOverdue(): Promise<void> {
    const silentMs = this.leases.silentMs();
    const shared = this.shared().filter(([, lease]) => silentMs < lease.blockedLoopLimitMs);
    const thirdMs = Math.min(...shared.map(([, { leaseMs }]) => leaseMs)) / 3;
    if (silentMs < thirdMs) return this.connection.close();
    const sentMs = monotonicMs();
    if (sentMs - this.renewedMs < thirdMs) return;
    const alive = new Set((await this.connection.renew(shared.map(([, lease]) => lease))).map(tokenOf));
    for (const [place, lease] of shared) {
      if (alive.has(tokenOf(lease))) this.leases.renewed(place, lease, sentMs);
    }
    this.renewedMs = sentMs;
  }

  private shared(): readonly (readonly [number, SharedLease])[] {
    const found: [number, SharedLease][] = [];
    for (let place = 0; place < this.leases.capacity; place++) {
      const lease = this.leases.at(place);
      if (lease !== null) found.push([place, lease]);
    }
    return found;
  }
}

const tokenOf = ({ leaseToken }: Lease): string => leaseToken;
