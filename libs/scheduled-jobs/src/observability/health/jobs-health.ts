import { Inject, Injectable } from '@nestjs/common';
import { durationText } from '../../core/duration.js';
import { JobsError } from '../../core/errors.js';
import { ScheduledJobsLifecycle } from '../../nest/scheduled-jobs.lifecycle.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { Cached } from '../cached.js';
import { inTime } from '../in-time.js';
import { LedgerWatch, type LedgerState } from '../ledger-watch.js';
import { OBSERVABILITY_OPTIONS, type ResolvedObservability } from '../observability-options.js';

/** `degraded` = it works, and somebody should look; `down` = it cannot do its work. */
export type HealthLevel = 'up' | 'degraded' | 'down';

/** What may be wrong, without names. */
export type HealthReasonKind =
  'starting' | 'stopping' | 'database' | 'backlog' | 'tick-delay' | 'breaker-open' | 'no-worker';

export interface HealthReason {
  readonly kind: HealthReasonKind;
  /** For people who may know names of jobs and queues. */
  readonly text: string;
}

export interface HealthReport {
  readonly status: HealthLevel;
  readonly reasons: readonly HealthReason[];
}

/** What `@nestjs/terminus` takes from an indicator: one entry under the key. */
export type JobsHealthIndicatorResult = Record<
  string,
  { readonly status: 'up' | 'down'; readonly level: HealthLevel; readonly reasons: readonly string[] }
>;

/** For each of two looks: shorter than the timeouts that probes have, so that they hear an answer. */
const PATIENCE_MS = 1_000;
const UP: HealthReport = { status: 'up', reasons: [] };

const down = (kind: HealthReasonKind, text: string): HealthReport => ({ status: 'down', reasons: [{ kind, text }] });

/**
 * The health of this process, for probes and for `@nestjs/terminus`.
 *
 * - live: it answers. Nothing else counts: to restart processes because of a backlog or of a database that is away would
 *   make both worse.
 * - started: the application is up.
 * - ready: the database answers with a schema that fits, and the process is not stopping; else `down`. What should be
 *   looked at, but not by taking this process away, makes it `degraded`.
 */
@Injectable()
export class JobsHealth {
  /** However many ask a database that is silent, they wait for one connection of the pool. */
  private readonly checks: Cached<true>;

  constructor(
    private readonly lifecycle: ScheduledJobsLifecycle,
    @Inject(STORES) stores: Stores,
    private readonly watch: LedgerWatch,
    @Inject(OBSERVABILITY_OPTIONS) private readonly options: ResolvedObservability,
  ) {
    const check = (): Promise<true> => stores.meter.check().then(() => true);
    this.checks = new Cached(check, { forMs: 0, clock: stores.clock });
  }

  live(): HealthReport {
    return UP;
  }

  started(): HealthReport {
    return this.lifecycle.phase === 'starting' ? down('starting', 'The application is starting.') : UP;
  }

  /** Answers within 2 s, also when the database does not. Never rejects. */
  async ready(): Promise<HealthReport> {
    const { phase } = this.lifecycle;
    if (phase !== 'started') return down(phase, `The application is ${phase}.`);
    const problem = await this.databaseProblem();
    if (problem !== null) return down('database', problem);
    // What cannot be read in time says nothing about this process.
    const reasons = await inTime(PATIENCE_MS, this.look()).catch(() => null);
    return reasons === null || reasons.length === 0 ? UP : { status: 'degraded', reasons };
  }

  /** `ready` as an indicator of `@nestjs/terminus`, down exactly when the level is. */
  async indicate(key = 'scheduled-jobs'): Promise<JobsHealthIndicatorResult> {
    const { status: level, reasons } = await this.ready();
    const status = level === 'down' ? 'down' : 'up';
    return { [key]: { status, level, reasons: reasons.map(({ text }) => text) } };
  }

  private async databaseProblem(): Promise<string | null> {
    try {
      const answered = await inTime(PATIENCE_MS, this.checks.get());
      return answered === null ? `The database did not answer within ${durationText(PATIENCE_MS)}.` : null;
    } catch (error) {
      // Our own texts hold no address; any other may hold a connection string.
      return error instanceof JobsError ? error.message : 'The ledger cannot be read.';
    }
  }

  private async look(): Promise<readonly HealthReason[]> {
    const state = await this.watch.state();
    return [
      ...this.late(state),
      ...state.queues
        .filter(({ breaker }) => breaker?.state === 'open')
        .map(({ name }) => reason('breaker-open', `The breaker of the queue "${name}" is open.`)),
      ...idle(state),
    ];
  }

  private late({ queues, schedules }: LedgerState): readonly HealthReason[] {
    const { backlogAgeMs, tickDelayMs } = this.options.health;
    return [
      ...queues
        .filter(({ pause, oldestReadyMs }) => pause === null && (oldestReadyMs ?? 0) > backlogAgeMs)
        .map(({ name }) => reason('backlog', `The queue "${name}" waits longer than ${durationText(backlogAgeMs)}.`)),
      ...schedules
        .filter(({ behindMs }) => (behindMs ?? 0) > tickDelayMs)
        .map(({ jobName }) =>
          reason('tick-delay', `The schedule "${jobName}" waits for a tick longer than ${durationText(tickDelayMs)}.`),
        ),
    ];
  }
}

const reason = (kind: HealthReasonKind, text: string): HealthReason => ({ kind, text });

function idle({ instances, queues }: LedgerState): readonly HealthReason[] {
  if (instances.workers > 0 || !queues.some(({ ready }) => ready > 0)) return [];
  return [reason('no-worker', 'Executions could run, but no worker is alive.')];
}
