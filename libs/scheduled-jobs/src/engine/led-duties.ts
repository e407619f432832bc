import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS } from '../core/duration.js';
import type { EventSink } from '../core/events/engine-event.js';
import type { Clock } from '../core/ports/clock.js';
import type { LeaseStore } from '../core/ports/lease-store.js';
import { jittered } from './jittered.js';
import { Loop } from './loop.js';
import { NamedLeases } from './named-leases.js';

export interface LedDutiesDependencies<Summary> {
  /** Names the duties in `service.failed`. */
  readonly service: string;
  /** The lease of whoever does them. */
  readonly leaseName: string;
  readonly leases: LeaseStore<never>;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** About how often one of all instances does them, milliseconds. */
  readonly intervalMs: number;
  /** How long the leadership of an instance that died lasts, milliseconds. Default one minute. */
  readonly ttlMs?: number | undefined;
  /** One pass; the signal ends it between two statements. */
  readonly pass: (signal: AbortSignal) => Promise<Summary>;
  /** Called at each try to lead with the database's time. */
  readonly onLook?: (now: Date) => void;
}

/**
 * Duties that one of all instances does now and then. Every instance tries at intervals to lead, by a named lease, and keeps
 * the lease until its next turn, so that the duties are done about that often whatever the number of instances. Nothing but
 * the load may depend on the lease.
 */
export class LedDuties<Summary extends { readonly hasMore: boolean }> {
  private readonly leases: NamedLeases<never>;
  private readonly loop: Loop;
  private isStarted = false;
  /** Ends what the turn that is going on does. */
  private ended = new AbortController();
  /** When it tries again to lead, by the monotonic clock. */
  private dueMs = 0;

  constructor(private readonly dependencies: LedDutiesDependencies<Summary>) {
    const { leases: store, clock, emit, service } = dependencies;
    this.leases = new NamedLeases({ store, clock, emit });
    this.loop = new Loop({ service, turn: () => this.turn(), emit });
  }

  /** The first turn comes after about an interval: a process that starts has other things to do. */
  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.dueMs = this.dependencies.clock.monotonicMs() + jittered(this.dependencies.intervalMs);
    this.loop.start();
  }

  /** Ends between two statements and gives the lease back; waits at most 5 s. */
  async stop(): Promise<void> {
    this.isStarted = false;
    this.ended.abort();
    await this.loop.stopSoon();
  }

  /**
   * Does the duties once, for a process that does not live for long.
   * @returns Null = another instance is at it.
   * @throws StoreUnavailableError when the lease cannot be asked for; what fails afterwards is told in the summary.
   */
  async runOnce(): Promise<Summary | null> {
    const result = await this.lead((signal) => this.dependencies.pass(signal));
    return result.acquired ? result.value : null;
  }

  private async turn(): Promise<number> {
    const { clock, intervalMs, pass } = this.dependencies;
    const dueInMs = this.dueMs - clock.monotonicMs();
    if (dueInMs > 0) return dueInMs;
    const ended = new AbortController();
    this.ended = ended;
    const result = await this.lead(async (lost) => {
      lost.addEventListener('abort', () => ended.abort());
      const { hasMore } = await pass(ended.signal);
      // The lease is kept meanwhile: nobody else needs to do the same again.
      if (!hasMore) await rest(jittered(intervalMs), ended.signal);
    });
    if (result.acquired) return 0;
    this.dueMs = clock.monotonicMs() + jittered(intervalMs);
    return this.dueMs - clock.monotonicMs();
  }

  private async lead<T>(duties: (signal: AbortSignal) => Promise<T>) {
    const { leaseName, ttlMs = MINUTE_MS, onLook } = this.dependencies;
    const result = await this.leases.withLease(leaseName, { ttlMs, waitMs: 0 }, (lease) => {
      onLook?.(lease.acquiredAt);
      return duties(lease.signal);
    });
    if (!result.acquired) onLook?.(result.now);
    return result;
  }
}

async function rest(forMs: number, ended: AbortSignal): Promise<void> {
  try {
    await pause(forMs, undefined, { signal: ended });
  } catch {
    // Somebody wants it to end.
  }
}
