import { Inject, Injectable, Optional } from '@nestjs/common';
import type { SchedulerRegistry } from '@nestjs/schedule';
import type { Schedule } from '../../core/calendar/schedule.js';
import type { JobSchedule } from '../../core/job/job-definition.js';
import type { Clock } from '../../core/ports/clock.js';
import type { TickSummary } from '../../core/ports/schedule-store.js';
import type { TickTracer } from '../../core/ports/tick-tracer.js';
import { Scheduler as EngineScheduler } from '../../engine/scheduler.js';
import type { Stores } from '../../postgres/create-stores.js';
import { EngineEvents } from './engine-events.js';
import { JobCatalog } from '../jobs/job-catalog.js';
import { RegistryWakeTimer } from './registry-wake-timer.js';
import { STORES, TICK_TRACER, WAKE_UP_REGISTRY } from '../tokens.js';

/**
 * Turns due periods into executions. It is started with the application, unless the module says `scheduler: false`; any
 * number of instances may tick.
 */
@Injectable()
export class Scheduler {
  private engine: EngineScheduler | null = null;
  private isStarted = false;

  constructor(
    private readonly catalog: JobCatalog,
    private readonly events: EngineEvents,
    @Inject(STORES) private readonly stores: Stores,
    @Inject(WAKE_UP_REGISTRY) private readonly registry: SchedulerRegistry,
    @Optional() @Inject(TICK_TRACER) private readonly tracer: TickTracer | null = null,
  ) {}

  /** The database's time of the last tick that succeeded in this process. */
  get lastTickAt(): Date | null {
    return this.engine?.lastTickAt ?? null;
  }

  /** Milliseconds since the last tick that succeeded in this process. */
  get sinceLastTickMs(): number | null {
    return this.engine?.sinceLastTickMs ?? null;
  }

  /** Safe to call twice. */
  start(): void {
    this.made().start();
    if (this.isStarted) return;
    this.isStarted = true;
    const schedules = this.catalog
      .definitions()
      .flatMap(({ schedule, disabled }) => (disabled ? [] : (schedule ?? [])));
    if (schedules.length === 0) return;
    this.events.emit({
      type: 'scheduler.started',
      schedules: schedules.length,
      nextAt: earliest(schedules, this.stores.clock),
    });
  }

  /** Resolves when the tick that may be going on has ended, at most 5 s later; safe to call twice. */
  async stop(): Promise<void> {
    this.isStarted = false;
    await this.engine?.stop();
  }

  /**
   * Ticks until nothing is due, for a process whose timer is somebody else's.
   * @returns what all its ticks did, by the time of the last one; null when no job has a schedule.
   * @throws StoreUnavailableError when the database cannot be reached.
   */
  runOnce(): Promise<TickSummary | null> {
    return this.made().runOnce();
  }

  // The jobs are known once every provider exists, which is after this one.
  private made(): EngineScheduler {
    this.engine ??= new EngineScheduler({
      store: this.stores.schedules,
      definitions: this.catalog.definitions(),
      clock: this.stores.clock,
      emit: this.events.emit,
      timer: new RegistryWakeTimer(this.registry),
      tracer: this.tracer,
    });
    return this.engine;
  }
}

function earliest(schedules: readonly JobSchedule[], clock: Clock): Date | null {
  const now = clock.boundNow() ?? new Date();
  return schedules.reduce<Date | null>((first, { schedule }) => {
    const next = nextOf(schedule, now);
    return next === null || (first !== null && first <= next) ? first : next;
  }, null);
}

function nextOf(schedule: Schedule, now: Date): Date | null {
  try {
    return schedule.next(now);
  } catch {
    return null; // The job's own period function threw; the tick will report it.
  }
}
