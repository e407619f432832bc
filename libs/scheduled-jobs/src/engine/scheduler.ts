import { InvalidOptionsError } from '../core/errors.js';
import type { EventSink } from '../core/events/engine-event.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import { OptionReader } from '../core/job/option-reader.js';
import type { Clock } from '../core/ports/clock.js';
import type { DueSchedule, SchedulePlan, ScheduleStore, TickSummary } from '../core/ports/schedule-store.js';
import type { TickSpan, TickTracer } from '../core/ports/tick-tracer.js';
import { SchedulePlanner } from '../core/schedule/schedule-plan.js';
import { Loop } from './loop.js';
import { safeSink } from './safe-sink.js';
import type { WakeTimer } from './wake-timer.js';

/** How often a scheduler looks. */
export interface SchedulerOptions {
  /** The longest sleep between two ticks, 10 … 30,000 ms. Default 30 s. */
  readonly tickIntervalMs?: number;
}

const SCHEDULER_DEFAULTS = { tickIntervalMs: 30_000 } as const;

/** Schedules that one tick locks at most: each looks at all of the process's schedules, however few are due. */
const BATCH_SIZE = 1_000;
/** The pause before looking again for schedules that are due, but locked by another scheduler or waiting for a retry. */
const BUSY_PAUSE_MS = 100;

export interface SchedulerDependencies {
  readonly store: Pick<ScheduleStore, 'tick'>;
  readonly definitions: readonly JobDefinition[];
  readonly clock: Clock;
  readonly emit: EventSink;
  readonly timer?: WakeTimer;
  /** Null = nobody traces. */
  readonly tracer?: TickTracer | null;
}

/**
 * Turns due periods into executions.
 *
 * A tick asks the store to lock the schedules that are due, plans each (`SchedulePlanner`), and lets it insert the
 * executions and move the cursors in the same transaction. A tick decides nothing by itself: the cursor says what is
 * missing, the database's clock what is due, the key what exists already. So any number of schedulers may tick at any
 * time, twice, late, or after a crash in the middle, and the rows are the same.
 *
 * After a tick it sleeps until the next period is due, at most for the tick interval, because clocks step and machines
 * sleep. A tick that found more than it could take is followed by the next one at once. A schedule whose plan fails
 * stands still and holds up no other; a store that fails is asked again after a growing pause. A schedule that only other
 * processes can plan is left to them and looked at again once a tick interval: its being due is no reason to hurry.
 */
export class Scheduler {
  private readonly planner: SchedulePlanner;
  private readonly emit: EventSink;
  private readonly loop: Loop;
  private readonly tickIntervalMs: number;
  private last: { readonly at: Date; readonly monotonicMs: number } | null = null;
  private ticking: Promise<unknown> = Promise.resolve();
  private hasMore = false;
  /** Schedules that are left to other processes, and until when, by the monotonic clock. */
  private readonly leftUntilMs = new Map<string, number>();

  /** @throws InvalidOptionsError */
  constructor(
    private readonly dependencies: SchedulerDependencies,
    options: SchedulerOptions = {},
  ) {
    this.emit = safeSink(dependencies.emit);
    this.tickIntervalMs = resolveTickInterval(options);
    this.planner = new SchedulePlanner(dependencies.definitions, (message) =>
      this.emit({ type: 'configuration.warned', message }),
    );
    const { timer } = dependencies;
    this.loop = new Loop({ service: 'scheduler', turn: () => this.turn(), emit: this.emit, timer });
  }

  /** The database's time of the last tick that succeeded in this process. */
  get lastTickAt(): Date | null {
    return this.last?.at ?? null;
  }

  /** Milliseconds since the last tick that succeeded; more than three tick intervals mean that ticking has stopped. */
  get sinceLastTickMs(): number | null {
    return this.last === null ? null : this.dependencies.clock.monotonicMs() - this.last.monotonicMs;
  }

  start(): void {
    if (this.planner.jobNames.length > 0) this.loop.start();
  }

  /** Ticks no more; waits for the tick that is going on, at most 5 s. A tick that is cut off counts fully or not at all. */
  stop(): Promise<void> {
    return this.loop.stopSoon();
  }

  /**
   * Ticks until nothing is due, for a process whose timer is somebody else's, also while the loop runs.
   * @returns what all its ticks did, by the time of the last one; a schedule with a long backlog counts in each. Null when
   * no job has a schedule.
   * @throws what the store throws.
   */
  async runOnce(): Promise<TickSummary | null> {
    if (this.planner.jobNames.length === 0) return null;
    let last = await this.tick();
    let total = last;
    while (hasMore(last)) {
      last = await this.tick(true);
      total = sum(total, last);
    }
    return total;
  }

  private async turn(): Promise<number> {
    const { clock } = this.dependencies;
    const startedMs = clock.monotonicMs();
    const summary = await this.tick(this.hasMore);
    this.hasMore = hasMore(summary);
    if (this.hasMore) return 0;
    if (summary.nextAt === null) return this.tickIntervalMs;
    const untilNextMs = summary.nextAt.getTime() - summary.now.getTime();
    if (untilNextMs <= 0) return BUSY_PAUSE_MS;
    // The summary's time is that of the tick's begin. Waking too early only costs a tick that finds nothing.
    return Math.min(Math.max(untilNextMs - (clock.monotonicMs() - startedMs), 1), this.tickIntervalMs);
  }

  /** One tick, after the one that may be going on. */
  private tick(isDue = false): Promise<TickSummary> {
    const tick = this.ticking.then(() => this.tickNow(isDue));
    this.ticking = tick.catch(() => undefined);
    return tick;
  }

  private async tickNow(isDue: boolean): Promise<TickSummary> {
    const { store, clock, tracer } = this.dependencies;
    const startedMs = clock.monotonicMs();
    const span = tracer?.tick() ?? null;
    const request = { jobNames: this.jobNamesAt(startedMs), limit: BATCH_SIZE, now: clock.boundNow(), isDue };
    const ticked = store.tick(request, (due) => this.plan(due, { startedMs, span }));
    const summary = await ticked.catch((error: unknown) => {
      span?.fail(error);
      throw error;
    });
    span?.end(summary);
    this.last = { at: summary.now, monotonicMs: clock.monotonicMs() };
    for (const { jobName, error } of summary.failures) this.emit({ type: 'schedule.failed', job: jobName, error });
    const durationMs = Math.round(this.last.monotonicMs - startedMs);
    this.emit({ type: 'schedule.ticked', inserted: summary.inserted, skipped: summary.skipped, durationMs });
    return summary;
  }

  /** What is planned carries the span of its tick: one for all, however many a catch-up makes. */
  private plan(
    due: DueSchedule,
    { startedMs, span }: { readonly startedMs: number; readonly span: TickSpan | null },
  ): SchedulePlan | null {
    const plan = this.planner.plan(due);
    if (plan === null) this.leftUntilMs.set(due.jobName, startedMs + this.tickIntervalMs);
    if (plan === null || plan.executions.length === 0) return plan;
    const traceParent = span?.traceParent() ?? null;
    if (traceParent === null) return plan;
    return { ...plan, executions: plan.executions.map((execution) => ({ ...execution, traceParent })) };
  }

  private jobNamesAt(nowMs: number): readonly string[] {
    return this.planner.jobNames.filter((name) => (this.leftUntilMs.get(name) ?? nowMs) <= nowMs);
  }
}

/**
 * Something is due still, more than one batch of schedules or of periods of one schedule, and this tick came further: cursors
 * moved, or schedules that failed rest now.
 */
const hasMore = ({ schedules, failures, nextAt, now }: TickSummary): boolean =>
  schedules + failures.length > 0 && nextAt !== null && nextAt.getTime() <= now.getTime();

const sum = (before: TickSummary, last: TickSummary): TickSummary => ({
  ...last,
  schedules: before.schedules + last.schedules,
  inserted: before.inserted + last.inserted,
  skipped: before.skipped + last.skipped,
  leftOut: before.leftOut + last.leftOut,
  failures: [...before.failures, ...last.failures],
});

function resolveTickInterval(options: SchedulerOptions): number {
  const problems: string[] = [];
  const reader = new OptionReader(options, 'scheduler', problems);
  reader.allowOnly(['tickIntervalMs']);
  const { tickIntervalMs } = SCHEDULER_DEFAULTS;
  const resolved = reader.integer('tickIntervalMs', tickIntervalMs, { min: 10, max: tickIntervalMs });
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return resolved;
}
