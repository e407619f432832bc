import { Inject, Injectable, Optional, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Subscription } from 'rxjs';
import type { DataSource } from 'typeorm';
import { zoneDataWarning } from '../core/calendar/zone-data.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import type { Stores } from '../postgres/create-stores.js';
import { migrate } from '../postgres/migrate.js';
import { checkSchema } from '../postgres/schema-version.js';
import { Alerts } from './services/alerts.js';
import { EngineEvents } from './services/engine-events.js';
import { refuseStartInCommand } from './command-process.js';
import { JobCatalog } from './jobs/job-catalog.js';
import type { ResolvedModuleOptions } from './options/module-options.js';
import { Presence } from './services/presence.js';
import { Queues } from './client/queues.js';
import { Scheduler } from './services/scheduler.js';
import { DATA_SOURCE, MODULE_OPTIONS, ONE_PASS, OPERATING, STORES } from './tokens.js';
import { Upkeep } from './services/upkeep.js';
import { Worker } from './services/worker.js';

/**
 * What happens when. The module is global, so its hooks run before those of the application's modules.
 *
 * - Initialization: all jobs are read and checked, the schema is checked or migrated, the jobs are registered. A mistake
 *   stops the start here. From now on executions can be enqueued. A process in which somebody only acts for a moment
 *   (a command) reads and checks the jobs, and no more.
 * - Bootstrap: ticking starts. It only inserts. Whatever its role, the process says from now on that it carries its
 *   schedules. In a process that makes one pass (`runTick`) nothing starts here.
 * - The HTTP server listens, so every module is ready: claiming starts. An application without one starts its worker
 *   itself, as `runWorker` does.
 * - Upkeep and alerts start with whichever comes first.
 * - Shutdown, before anything of the application is destroyed: ticking, upkeep and alerts stop and the worker drains, side by side,
 *   so that a tick that gets no answer holds up no handler. Then the process says that it has stopped.
 */
@Injectable()
export class ScheduledJobsLifecycle implements OnModuleInit, OnApplicationBootstrap {
  private prepared: Promise<void> | null = null;
  private listening: Subscription | null = null;
  private isStarted = false;
  private isStopping = false;

  constructor(
    @Inject(MODULE_OPTIONS) private readonly options: ResolvedModuleOptions,
    @Inject(DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(STORES) private readonly stores: Stores,
    private readonly catalog: JobCatalog,
    private readonly queues: Queues,
    private readonly events: EngineEvents,
    private readonly scheduler: Scheduler,
    private readonly worker: Worker,
    private readonly upkeep: Upkeep,
    private readonly alerts: Alerts,
    private readonly presence: Presence,
    private readonly adapterHost: HttpAdapterHost,
    @Optional() @Inject(ONE_PASS) private readonly isOnePass: boolean = false,
    @Optional() @Inject(OPERATING) private readonly isOperating: boolean = false,
  ) {}

  /** Where the application stands: `started` from its bootstrap on, `stopping` for good. */
  get phase(): 'starting' | 'started' | 'stopping' {
    if (this.isStopping) return 'stopping';
    return this.isStarted ? 'started' : 'starting';
  }

  onModuleInit(): Promise<void> {
    this.prepared ??= this.prepare();
    return this.prepared;
  }

  onApplicationBootstrap(): void {
    this.isStarted = true;
    if (this.isStopping) return; // A signal came while the application was still starting.
    if (this.isOnePass) return;
    if (this.isOperating) return;
    this.presence.start();
    if (this.options.scheduler) {
      this.scheduler.start();
      this.upkeep.start();
      this.alerts.start();
    }
    if (this.options.worker) this.startWorkerOnceListening();
  }

  /** Safe to call twice. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.listening?.unsubscribe();
    const { scheduler, worker, upkeep, alerts, presence } = this;
    await Promise.all([scheduler, worker, upkeep, alerts, presence].map((part) => part.stop()));
    await presence.leave();
  }

  private async prepare(): Promise<void> {
    const definitions = this.catalog.definitions();
    // An operator's code may be older or newer than what runs: it must not decide what is in force.
    if (this.isOperating) return;
    if (!this.isOnePass) refuseStartInCommand();
    const { schema, migrations } = this.options;
    if (migrations === 'run') await migrate(this.dataSource, { schema });
    else await checkSchema(this.dataSource, { schema });
    await this.register(definitions);
    for (const warning of await this.queues.configure()) this.warn(warning);
    for (const { name, schedule } of definitions) {
      for (const warning of schedule?.schedule.warnings ?? []) this.warn(`${name}: ${warning}`);
    }
    const outdated = definitions.some(({ schedule }) => schedule !== null)
      ? zoneDataWarning(process.versions['tz'])
      : null;
    if (outdated !== null) this.warn(outdated);
  }

  private async register(definitions: readonly JobDefinition[]): Promise<void> {
    const registered = await this.stores.schedules.register(
      definitions,
      this.stores.clock.boundNow(),
      this.options.release,
    );
    for (const { jobName: job, ...change } of registered) {
      this.events.emit({ type: 'schedule.registered', job, ...change });
    }
  }

  private startWorkerOnceListening(): void {
    const { httpAdapter, listening, listen$ } = this.adapterHost;
    // Without an HTTP server there is no such adapter, whatever the type says.
    if ((httpAdapter as unknown) === null || (httpAdapter as unknown) === undefined) return;
    if (listening) this.startWorker();
    else this.listening ??= listen$.subscribe(() => this.startWorker());
  }

  private startWorker(): void {
    if (process.listenerCount('SIGTERM') === 0) {
      this.warn(
        'Nothing handles SIGTERM, so a stopped process leaves its executions to the rescue of others. Call app.enableShutdownHooks() before app.listen().',
      );
    }
    this.worker.start();
    this.upkeep.start();
    this.alerts.start();
  }

  private warn(message: string): void {
    this.events.emit({ type: 'configuration.warned', message });
  }
}
