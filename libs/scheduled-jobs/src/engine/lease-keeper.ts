import type { EventSink } from '../core/events/engine-event.js';
import type { Clock } from '../core/ports/clock.js';
import type { LeaseStatus, WorkStore } from '../core/ports/work-store.js';
import { ChurnMap } from './churn-map.js';
import { FailurePause } from './failure-pause.js';
import type { HeldExecution } from './held-execution.js';
import { Loop } from './loop.js';
import { createWakeTimer } from './wake-timer.js';

export interface LeaseKeeperDependencies {
  readonly store: Pick<WorkStore, 'heartbeat'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** Between two renewals: the shortest `heartbeat` of the worker's jobs. */
  readonly intervalMs: number;
  /** Called before leases are judged by their time: somebody else may have renewed them. */
  readonly beforeJudging?: () => void;
}

/**
 * Keeps the leases of one worker: renews all of them in one statement per interval, or as soon as one of them has used up
 * a third of its length, because an execution keeps the lease that its job had when it was enqueued.
 *
 * A lease ends for this process in one of two ways. The database says so: a lease that is missing in the answer is asked
 * for once more, because a statement that ran beside another one may have missed its row, and is lost if it is missing
 * again. Or the database says nothing: when no renewal was answered, the lease is lost at the time at which it would
 * have run out, by the monotonic clock from the last renewal that was sent and answered. Either way the holder is told at
 * once, and the database's fence refuses whatever it still tries to write.
 *
 * An execution whose end is being recorded is not judged here: its row may be gone because the record arrived.
 * The keeper goes on during a drain and stops last.
 */
export class LeaseKeeper {
  private readonly held = new ChurnMap<HeldExecution>();
  private readonly loop: Loop;
  private readonly expiryTimer = createWakeTimer();
  /** When the expiry timer fires; it may be too early, and then looks again. */
  private expiryCheckMs = Number.POSITIVE_INFINITY;
  /** When all leases are renewed by the interval. */
  private intervalEndMs = Number.NEGATIVE_INFINITY;
  /** When the loop turns next. */
  private nextTurnMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly dependencies: LeaseKeeperDependencies) {
    const { emit, intervalMs } = dependencies;
    this.loop = new Loop({
      service: 'lease-keeper',
      turn: () => this.turn(),
      emit,
      pause: new FailurePause({ maxMs: intervalMs }),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Ends the renewals; leases that are still held run out by themselves. */
  async stop(): Promise<void> {
    await this.loop.stop();
    this.checkExpiryAt(Number.POSITIVE_INFINITY);
  }

  hold(execution: HeldExecution): void {
    this.held.set(execution.no, execution);
    if (execution.renewalDueMs < this.nextTurnMs) this.loop.wake();
    if (execution.leaseUntilMs < this.expiryCheckMs) this.checkExpiryAt(execution.leaseUntilMs);
  }

  /** The execution was given back or is lost: there is nothing to renew. */
  drop(execution: HeldExecution): void {
    this.held.delete(execution.no);
  }

  private async turn(): Promise<number> {
    const { clock, intervalMs } = this.dependencies;
    const nowMs = clock.monotonicMs();
    if (nowMs >= this.renewalDueMs()) {
      await this.renewAll();
      this.intervalEndMs = nowMs + intervalMs;
    }
    this.nextTurnMs = this.renewalDueMs();
    return Math.max(this.nextTurnMs - clock.monotonicMs(), 1);
  }

  private renewalDueMs(): number {
    return Math.min(this.intervalEndMs, ...this.judged().map(({ renewalDueMs }) => renewalDueMs));
  }

  private async renewAll(): Promise<void> {
    const missing = await this.renew(this.held.values());
    for (const execution of await this.renew(missing)) this.lose(execution);
    this.loseExpired();
  }

  /** Renews leases and gives those that the answer does not contain. */
  private async renew(executions: readonly HeldExecution[]): Promise<readonly HeldExecution[]> {
    const asked = executions.filter((execution) => this.held.has(execution.no));
    if (asked.length === 0) return [];
    const { store, clock } = this.dependencies;
    const sentMs = clock.monotonicMs();
    const leases = asked.map(({ lease, startedAt }) => ({ ...lease, startedAt }));
    const alive = byToken(await store.heartbeat(leases, clock.boundNow()));
    return asked.filter((execution) => {
      const status = alive.get(execution.lease.leaseToken);
      if (status === undefined) return true;
      execution.renewed(sentMs);
      if (status.cancelRequested) execution.requestCancel();
      return false;
    });
  }

  private loseExpired(): void {
    this.dependencies.beforeJudging?.();
    const nowMs = this.dependencies.clock.monotonicMs();
    for (const execution of this.held.values()) if (execution.leaseUntilMs <= nowMs) this.lose(execution);
    this.checkExpiryAt(Math.min(Number.POSITIVE_INFINITY, ...this.judged().map(({ leaseUntilMs }) => leaseUntilMs)));
  }

  private judged(): readonly HeldExecution[] {
    return this.held.values().filter(({ isEnding }) => !isEnding);
  }

  private lose(execution: HeldExecution): void {
    if (execution.isEnding || !this.held.delete(execution.no)) return;
    execution.lose();
  }

  /** A renewal that hangs never ends its turn, so the expiry has a timer of its own. */
  private checkExpiryAt(atMs: number): void {
    this.expiryCheckMs = atMs;
    if (atMs === Number.POSITIVE_INFINITY) return this.expiryTimer.clear();
    this.expiryTimer.set(Math.max(atMs - this.dependencies.clock.monotonicMs(), 1), () => this.loseExpired());
  }
}

const byToken = (statuses: readonly LeaseStatus[]): ReadonlyMap<string, LeaseStatus> =>
  new Map(statuses.map((status) => [status.leaseToken, status]));
