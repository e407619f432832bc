import type { EventSink } from '../core/events/engine-event.js';
import type { Clock } from '../core/ports/clock.js';
import type { KeeperThread } from '../core/ports/keeper-thread.js';
import { MAX_UNRECORDED } from './attempt-pool.js';
import { ChurnMap } from './churn-map.js';
import type { HeldExecution } from './held-execution.js';

export interface BlockedLoopDependencies {
  /** Null = no renewals while the loop is blocked. */
  readonly thread: KeeperThread | null;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** The shortest `heartbeat` of the worker's jobs: a loop that is later than this has missed a renewal. */
  readonly heartbeatMs: number;
  /** Attempts at the same time. */
  readonly concurrency: number;
}

class Started {
  /** @param place Where the thread sees its lease; null = it does not. */
  constructor(
    readonly held: HeldExecution,
    readonly place: number | null,
  ) {}
}

const CHECKS_PER_HEARTBEAT = 4;
const MIN_CHECK_MS = 25;

/**
 * Keeps the leases of started executions while the event loop of the process is blocked, by a thread that renews them for
 * a limited time, and tells how late the loop was once it turns again.
 *
 * When it turns again, what the thread has renewed counts before anything is judged as expired: no lease that is still
 * alive is given up, and one that is not fires the signal of its run. Executions in the buffer are not shared: they have
 * not started, and others may take them over.
 */
export class BlockedLoop {
  private readonly started = new ChurnMap<Started>();
  private readonly checkEveryMs: number;
  private timer: NodeJS.Timeout | undefined;
  private turnedMs = 0;

  constructor(private readonly dependencies: BlockedLoopDependencies) {
    this.checkEveryMs = Math.max(Math.floor(dependencies.heartbeatMs / CHECKS_PER_HEARTBEAT), MIN_CHECK_MS);
  }

  start(): void {
    const { thread, clock, concurrency } = this.dependencies;
    clearInterval(this.timer);
    thread?.start({ capacity: concurrency + MAX_UNRECORDED, checkEveryMs: this.checkEveryMs });
    this.turnedMs = clock.monotonicMs();
    this.timer = setInterval(() => this.look(), this.checkEveryMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.started.clear();
    await this.dependencies.thread?.stop();
  }

  /** The execution has started. */
  hold(held: HeldExecution, blockedLoopLimitMs: number): void {
    const { thread } = this.dependencies;
    const { startedAt } = held;
    if (startedAt === null) return;
    const { executionId, leaseToken, leaseMs } = held.claimed;
    const place =
      thread === null || blockedLoopLimitMs === 0
        ? null
        : thread.share({ executionId, leaseToken, startedAt, leaseMs, blockedLoopLimitMs });
    this.started.set(held.no, new Started(held, place));
  }

  drop(held: HeldExecution): void {
    const place = this.started.get(held.no)?.place ?? null;
    this.started.delete(held.no);
    if (place !== null) this.dependencies.thread?.unshare(place);
  }

  /**
   * Takes over what the thread has renewed, and tells how late the loop is when it has missed a renewal. Called at each
   * turn of its timer, and before a lease is judged: after a block either may come first.
   */
  look(): void {
    const { thread, clock, heartbeatMs } = this.dependencies;
    const nowMs = clock.monotonicMs();
    const delayMs = nowMs - this.turnedMs - this.checkEveryMs;
    const renewed = this.catchUp(nowMs);
    this.turnedMs = nowMs;
    thread?.turned();
    if (delayMs > heartbeatMs) this.tell(delayMs, renewed.filter((agoMs) => agoMs < delayMs).length, nowMs);
  }

  /** How long ago the thread has renewed leases. */
  private catchUp(nowMs: number): readonly number[] {
    const { thread } = this.dependencies;
    return this.started.values().flatMap(({ held, place }) => {
      const agoMs = place === null ? null : (thread?.renewedAgoMs(place, held.lease) ?? null);
      if (agoMs === null) return [];
      held.renewed(nowMs - agoMs);
      return [agoMs];
    });
  }

  private tell(delayMs: number, renewed: number, nowMs: number): void {
    const running = this.started.values().map(({ held }) => held);
    this.dependencies.emit({
      type: 'loop.blocked',
      delayMs: Math.round(delayMs),
      jobs: [...new Set(running.map(({ claimed }) => claimed.jobName))].toSorted(),
      renewed,
      expired: running.filter(({ leaseUntilMs }) => leaseUntilMs <= nowMs).length,
    });
  }
}
