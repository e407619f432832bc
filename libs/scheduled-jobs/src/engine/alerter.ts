import type { Alert, AlertRule } from '../core/alert/alert.js';
import { MINUTE_MS, SECOND_MS } from '../core/duration.js';
import type { EventSink } from '../core/events/engine-event.js';
import type { NewExecution } from '../core/execution/new-execution.js';
import { RESERVED_LEASE_PREFIX } from '../core/job/lease-name.js';
import type { AlertStore } from '../core/ports/alert-store.js';
import type { Clock } from '../core/ports/clock.js';
import type { LeaseStore } from '../core/ports/lease-store.js';
import { LedDuties } from './led-duties.js';
import { PassOfDuties, type DutyFailure } from './pass-of-duties.js';
import { safeSink } from './safe-sink.js';

export interface AlerterDependencies {
  readonly store: AlertStore;
  readonly leases: LeaseStore<never>;
  readonly clock: Clock;
  readonly emit: EventSink;
  readonly rules: readonly AlertRule[];
  /** Makes the execution that delivers an alert; null = none is delivered by an execution. */
  readonly delivery: ((alertId: string) => NewExecution) | null;
  /** Tells the application of an alert; null = the event is all. */
  readonly onAlert: ((alert: Alert) => unknown) | null;
  /** About how often one of all instances looks, milliseconds. Default 15 s. */
  readonly intervalMs?: number;
  /** How long the application may take for one alert, milliseconds. Default 10 s. */
  readonly answerMs?: number;
}

/** What one pass did. */
export interface AlerterSummary {
  readonly raised: number;
  readonly announced: number;
  /** There is more to raise at once. */
  readonly hasMore: boolean;
  readonly failures: readonly DutyFailure[];
}

/** The lease of whoever raises alerts. */
const ALERTS_LEASE = `${RESERVED_LEASE_PREFIX}alerts`;

const INTERVAL_MS = 15 * SECOND_MS;
const ANSWER_MS = 10 * SECOND_MS;
/** Alerts that one statement raises. */
const BATCH_SIZE = 100;
/** All of them are announced within the minute for which they are taken. */
const ANNOUNCED_AT_ONCE = 5;
const REMOVED_PER_PASS = 100;
/** A pass ends now and then, so that the lease is renewed and others get their turn. */
const ANNOUNCED_PER_PASS = 200;

/**
 * Raises alerts from the ledger and tells the application of them. One of all instances that have alerts leads, by a lease of
 * its own: an instance without alerts must not be the one that looks. Two leaders at once raise each alert once, because
 * facts are unique; an alert is announced at least once.
 */
export class Alerter {
  private readonly emit: EventSink;
  private readonly duties: LedDuties<AlerterSummary>;

  constructor(private readonly dependencies: AlerterDependencies) {
    const { leases, clock, intervalMs = INTERVAL_MS } = dependencies;
    this.emit = safeSink(dependencies.emit);
    this.duties = new LedDuties({
      service: 'alerts',
      leaseName: ALERTS_LEASE,
      leases,
      clock,
      emit: this.emit,
      intervalMs,
      pass: (signal) => this.pass(signal),
    });
  }

  start(): void {
    this.duties.start();
  }

  /** Ends between two statements; waits at most 5 s. */
  stop(): Promise<void> {
    return this.duties.stop();
  }

  /**
   * Looks once, for a process that does not live for long.
   * @returns Null = another instance is at it.
   * @throws StoreUnavailableError when the lease cannot be asked for; what fails afterwards is told in the summary.
   */
  runOnce(): Promise<AlerterSummary | null> {
    return this.duties.runOnce();
  }

  private async pass(signal: AbortSignal): Promise<AlerterSummary> {
    const { store, clock, rules } = this.dependencies;
    const duties = new PassOfDuties(signal);
    const { failures } = duties;
    let raised = 0;
    let hasMore = false;
    for (const rule of rules) {
      const result = await duties.attempt(`raise ${rule.kind}`, () => this.raise(rule), { raised: 0, hasMore: false });
      raised += result.raised;
      hasMore ||= result.hasMore;
    }
    const announced = await duties.attempt('announce', () => this.announceAll(signal), 0);
    await duties.attempt('remove', () => store.removeOld(REMOVED_PER_PASS, clock.boundNow()), 0);
    this.report(failures);
    return { raised, announced, hasMore: hasMore && failures.length === 0, failures };
  }

  private async raise(rule: AlertRule): Promise<{ readonly raised: number; readonly hasMore: boolean }> {
    const { store, delivery, clock } = this.dependencies;
    const result = await store.raise(rule, { limit: BATCH_SIZE, delivery, now: clock.boundNow() });
    for (const level of result.closed) this.emit({ type: 'alert.closed', ...level });
    return result;
  }

  /** What fails stays taken, so that it is not announced again in this pass. */
  private async announceAll(signal: AbortSignal): Promise<number> {
    const { store, clock } = this.dependencies;
    let announced = 0;
    for (let taken = 0; taken < ANNOUNCED_PER_PASS && !signal.aborted; taken += ANNOUNCED_AT_ONCE) {
      const alerts = await store.takeUnannounced(ANNOUNCED_AT_ONCE, clock.boundNow());
      for (const alert of alerts) if (await this.announce(alert)) announced += 1;
      if (alerts.length < ANNOUNCED_AT_ONCE) break;
    }
    return announced;
  }

  /** Noted as announced only afterwards: a process that dies in between leaves it to another one. */
  private async announce(alert: Alert): Promise<boolean> {
    const { store, onAlert } = this.dependencies;
    this.emit({ type: 'alert.raised', alert });
    try {
      if (onAlert !== null) await this.answered(Promise.resolve(onAlert(alert)));
    } catch (error) {
      this.emit({ type: 'service.failed', service: 'alerts: onAlert', error, retryInMs: MINUTE_MS });
      return false;
    }
    await store.announced(alert.alertId);
    return true;
  }

  private async answered(answer: Promise<unknown>): Promise<void> {
    const { answerMs = ANSWER_MS } = this.dependencies;
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error(`onAlert gave no answer within ${answerMs} ms.`)), answerMs);
    });
    try {
      await Promise.race([answer, tooLate]);
    } finally {
      clearTimeout(late);
    }
  }

  private report(failures: readonly DutyFailure[]): void {
    const { intervalMs: retryInMs = INTERVAL_MS } = this.dependencies;
    for (const { duty, error } of failures) {
      this.emit({ type: 'service.failed', service: `alerts: ${duty}`, error, retryInMs });
    }
  }
}
