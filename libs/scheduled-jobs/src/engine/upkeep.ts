import { MINUTE_MS } from '../core/duration.js';
import type { EventSink } from '../core/events/engine-event.js';
import { RESERVED_LEASE_PREFIX } from '../core/job/lease-name.js';
import type { Clock } from '../core/ports/clock.js';
import type { InstanceStore } from '../core/ports/instance-store.js';
import type { LeaseStore } from '../core/ports/lease-store.js';
import type { RequestStore } from '../core/ports/request-store.js';
import type { RetentionStore } from '../core/ports/retention-store.js';
import type { SuspensionStore } from '../core/ports/suspension-store.js';
import { LedDuties } from './led-duties.js';
import { PassOfDuties, type DutyFailure } from './pass-of-duties.js';
import { Pruner, type PruneSummary } from './pruner.js';
import { safeSink } from './safe-sink.js';

export interface UpkeepDependencies {
  readonly leases: LeaseStore<never>;
  readonly suspensions: Pick<SuspensionStore, 'suspendOrphans' | 'markUnhandled' | 'holdIdle'>;
  readonly retention: RetentionStore;
  readonly instances: Pick<InstanceStore, 'removeUnseen'>;
  readonly requests: Pick<RequestStore, 'removeOld'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** About how often one of all instances does the duties, milliseconds. Default one minute. */
  readonly intervalMs?: number;
  /** How long the leadership of an instance that died lasts, milliseconds. Default one minute. */
  readonly ttlMs?: number;
}

/** What one pass of the duties did. */
export interface UpkeepSummary {
  /** Schedules that are orphaned from now on. */
  readonly orphaned: readonly string[];
  /** Executions that retention has removed. */
  readonly pruned: number;
  /** There is more to do at once. */
  readonly hasMore: boolean;
  readonly failures: readonly DutyFailure[];
}

/** The lease of whoever does the duties. */
export const UPKEEP_LEASE = `${RESERVED_LEASE_PREFIX}upkeep`;

const ORPHANED_AFTER_MS = 10 * MINUTE_MS;
/** Workers say what they handle every 30 s. */
const UNHANDLED_AFTER_MS = 2 * MINUTE_MS;
const HOLD = { batchSize: 1_000, batches: 100 } as const;
/** Without an answer of the database for so long, a process has not seen who was alive meanwhile. */
const MAX_UNSEEN_MS = 3 * MINUTE_MS;
const LEASES_PER_PASS = 1_000;
const REQUESTS_PER_PASS = 10_000;
const NOTHING_PRUNED: PruneSummary = { removed: 0, hasMore: false, failures: [] };

/**
 * Duties that somebody has to do now and then: schedules that no instance carries any more are suspended, executions that
 * nobody may or can run are moved out of the way, old ones are removed, and so are leases that have run out, instances
 * that have gone, and answers of requests. Two leaders at once do each thing once, because each duty is decided by the locks of its rows.
 */
export class Upkeep {
  private readonly emit: EventSink;
  private readonly pruner: Pruner;
  private readonly duties: LedDuties<UpkeepSummary>;
  private readonly intervalMs: number;
  /** Since when it has looked without a gap, and when it looked last, by the database's clock. */
  private looking: { readonly since: Date; readonly last: Date } | null = null;

  constructor(private readonly dependencies: UpkeepDependencies) {
    const { leases, retention, clock, ttlMs } = dependencies;
    const emit = safeSink(dependencies.emit);
    this.emit = emit;
    this.intervalMs = dependencies.intervalMs ?? MINUTE_MS;
    this.pruner = new Pruner({ store: retention, clock, emit });
    this.duties = new LedDuties({
      service: 'upkeep',
      leaseName: UPKEEP_LEASE,
      leases,
      clock,
      emit,
      intervalMs: this.intervalMs,
      ttlMs,
      pass: (signal) => this.pass(signal),
      onLook: (now) => this.looked(now),
    });
  }

  /** The first turn comes after about a minute: a process that starts has other things to do. */
  start(): void {
    this.duties.start();
  }

  /** Ends between two statements and gives the lease back; waits at most 5 s. */
  stop(): Promise<void> {
    return this.duties.stop();
  }

  /**
   * Does the duties once, for a process that does not live for long.
   * @returns Null = another instance is at it.
   * @throws StoreUnavailableError when the lease cannot be asked for; what fails afterwards is told in the summary.
   */
  runOnce(): Promise<UpkeepSummary | null> {
    return this.duties.runOnce();
  }

  private looked(now: Date): void {
    const { since, last } = this.looking ?? { since: now, last: now };
    this.looking = { since: now.getTime() - last.getTime() > MAX_UNSEEN_MS ? now : since, last: now };
  }

  private async pass(signal: AbortSignal): Promise<UpkeepSummary> {
    const { leases, instances, requests, clock } = this.dependencies;
    const duties = new PassOfDuties(signal);
    const { failures } = duties;
    const orphaned = await duties.attempt('orphans', () => this.suspendOrphans(), []);
    await duties.attempt('unhandled jobs', () => this.markUnhandled(), []);
    const hasMoreToHold = await duties.attempt('idle jobs', () => this.holdIdle(signal), false);
    const pruning = await duties.attempt('retention', () => this.pruner.run(signal), NOTHING_PRUNED);
    await duties.attempt('leases', () => leases.removeExpired(LEASES_PER_PASS, clock.boundNow()), 0);
    await duties.attempt('instances', () => instances.removeUnseen(clock.boundNow()), 0);
    await duties.attempt('requests', () => requests.removeOld(REQUESTS_PER_PASS, clock.boundNow()), 0);
    failures.push(...pruning.failures.map(({ jobName, error }) => ({ duty: `retention of "${jobName}"`, error })));
    this.report(failures);
    return { orphaned, pruned: pruning.removed, hasMore: pruning.hasMore || hasMoreToHold, failures };
  }

  private async suspendOrphans(): Promise<readonly string[]> {
    const { suspensions, clock } = this.dependencies;
    if (this.looking === null) return [];
    const { since: observingSince } = this.looking;
    const orphaned = await suspensions.suspendOrphans({
      forMs: ORPHANED_AFTER_MS,
      observingSince,
      now: clock.boundNow(),
    });
    for (const job of orphaned) this.emit({ type: 'schedule.orphaned', job });
    return orphaned;
  }

  private async markUnhandled(): Promise<readonly string[]> {
    const { suspensions, clock } = this.dependencies;
    if (this.looking === null) return [];
    const { since: observingSince } = this.looking;
    const request = { forMs: UNHANDLED_AFTER_MS, observingSince, now: clock.boundNow() };
    const unhandled = await suspensions.markUnhandled(request);
    for (const job of unhandled) this.emit({ type: 'job.unhandled', job });
    return unhandled;
  }

  /** True = there is more to move. */
  private async holdIdle(signal: AbortSignal): Promise<boolean> {
    for (let batches = 0; batches < HOLD.batches; batches++) {
      if (signal.aborted || (await this.dependencies.suspensions.holdIdle(HOLD.batchSize)) === 0) return false;
    }
    return true;
  }

  private report(failures: readonly DutyFailure[]): void {
    for (const { duty, error } of failures) {
      const service = `upkeep: ${duty}`;
      this.emit({ type: 'service.failed', service, error, retryInMs: this.intervalMs });
    }
  }
}
