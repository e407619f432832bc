import { Inject, Injectable } from '@nestjs/common';
import type { SchedulerRegistry } from '@nestjs/schedule';
import type { TickSummary } from '../core/ports/schedule-store.js';
import { Scheduler as EngineScheduler } from '../engine/scheduler.js';
import { SYSTEM_CLOCK } from '../engine/system-clock.js';
import type { Stores } from '../postgres/create-stores.js';
import { EngineEvents } from './engine-events.js';
import { JobCatalog } from './job-catalog.js';
import { RegistryWakeTimer } from './registry-wake-timer.js';
import { STORES, WAKE_UP_REGISTRY } from './tokens.js';

/**
 * Turns due periods into executions. It is started with the application, unless the module says `scheduler: false`; any
 * number of instances may tick.
 */
@Injectable()
export class Scheduler {
  private engine: EngineScheduler | null = null;

  constructor(
    private readonly catalog: JobCatalog,
    private readonly events: EngineEvents,
    @Inject(STORES) private readonly stores: Stores,
    @Inject(WAKE_UP_REGISTRY) private readonly registry: SchedulerRegistry,
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
  }

  /** Resolves when the tick that may be going on has ended; safe to call twice. */
  async stop(): Promise<void> {
    await this.engine?.stop();
  }

  /**
   * Ticks until nothing is due, for a process whose timer is somebody else's.
   * @returns what the last tick did; null when no job has a schedule.
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
      clock: SYSTEM_CLOCK,
      emit: this.events.emit,
      timer: new RegistryWakeTimer(this.registry),
    });
    return this.engine;
  }
}
