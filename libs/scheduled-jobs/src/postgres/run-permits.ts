import { AsyncLocalStorage } from 'node:async_hooks';

/** Where a run is: inside a transaction of its own, for as long as `open`. */
interface Inside {
  readonly owner: string;
  open: boolean;
}

/**
 * Lets only so many runs have a transaction at once that the pool keeps connections for everything else. Who waits in the
 * queue of a pool that transactions have used up gets its connection after one of them has ended; a renewal of leases that
 * waits for that comes too late. Runs wait here instead, in the order in which they came.
 */
export class RunPermits {
  private readonly inside = new AsyncLocalStorage<Inside>();
  private readonly waiting = new Set<() => void>();
  private taken = 0;

  /** @param limit How many there are, at least 1; asked at each request. */
  constructor(private readonly limit: () => number) {}

  /**
   * Calls `work` once there is a permit. A transaction inside another one of the same owner goes along with its permit,
   * because it would wait for itself.
   * @throws the signal's reason when it aborts before.
   */
  async within<T>(owner: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const outer = this.inside.getStore();
    if (outer?.open === true && outer.owner === owner) return work();
    await this.take(signal);
    const inside = { owner, open: true };
    try {
      return await this.inside.run(inside, work);
    } finally {
      inside.open = false;
      this.giveOn();
    }
  }

  private async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.taken < this.limit() && this.waiting.size === 0) {
      this.taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.waiting.delete(enter);
        reject(signal?.reason as Error);
      };
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** A permit goes to the one that has waited longest, without becoming free in between. */
  private giveOn(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.taken -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
