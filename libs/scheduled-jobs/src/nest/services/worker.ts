import { Inject, Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { Worker as EngineWorker } from '../../engine/worker.js';
import type { Stores } from '../../postgres/create-stores.js';
import { poolSizeOf } from '../../postgres/database/pool-size.js';
import { EngineEvents } from './engine-events.js';
import { JobCatalog } from '../jobs/job-catalog.js';
import type { ResolvedModuleOptions } from '../options/module-options.js';
import { readPayload } from '../jobs/payload-reader.js';
import { DATA_SOURCE, MODULE_OPTIONS, STORES } from '../tokens.js';

/** Connections beside those of the handlers' transactions: one for claims and ends, one for renewals. */
const OWN_CONNECTIONS = 2;

/** What is wrong with a worker that has nothing to do. */
export const NO_JOBS =
  'This worker has no jobs. Import the modules whose providers carry @ScheduledJob or @BackgroundJob.';

/**
 * Claims executions and runs them. `runWorker`, and an HTTP application whose module says `worker`, start it by themselves;
 * any other application does so when it is ready. It stops when the application closes.
 */
@Injectable()
export class Worker {
  private engine: EngineWorker<EntityManager> | null = null;

  constructor(
    private readonly catalog: JobCatalog,
    private readonly events: EngineEvents,
    @Inject(MODULE_OPTIONS) private readonly options: ResolvedModuleOptions,
    @Inject(DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  /** The name under which it holds leases; null before its first start. */
  get id(): string | null {
    return this.engine?.id ?? null;
  }

  /** Handlers that are running. */
  get runningCount(): number {
    return this.engine?.runningCount ?? 0;
  }

  /** Handlers that may run at the same time; 0 before its first start. */
  get slots(): number {
    return this.engine === null ? 0 : this.options.concurrency;
  }

  /** Starts to claim. Call it after `app.init()`; safe to call twice. Without any job it only warns. */
  start(): void {
    if (this.catalog.entries().size === 0) return this.warn(NO_JOBS);
    this.engine ??= this.make();
    this.engine.start();
  }

  /**
   * Drains: claims nothing more, hands back what was not started, and waits for running handlers, at most `timeoutMs`,
   * before their signals fire. Resolves when everything is recorded or handed back; safe to call twice.
   * @param options `timeoutMs` is the module's `shutdownTimeout` by default.
   */
  async stop(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    await this.engine?.stop(options);
  }

  /**
   * Stops within a few seconds, also while it drains: the signals of all handlers fire, and what has not settled a second
   * later is handed back, which uses up no attempt. Never rejects.
   */
  async forceStop(): Promise<void> {
    await this.engine?.forceStop();
  }

  // The jobs are known once every provider exists, which is after this one.
  private make(): EngineWorker<EntityManager> {
    const { concurrency, queues, pollIntervalMs, shutdownTimeoutMs } = this.options;
    this.warnAboutPool(concurrency);
    const { problem } = this.stores.keeperThread;
    if (problem !== null) this.warn(problem);
    return new EngineWorker<EntityManager>(
      {
        store: this.stores.work,
        queues: this.stores.queues,
        transactions: this.stores.transactions,
        wakeUp: this.stores.wakeUp,
        // It renews by the database's clock: by another one its leases would seem to have run out.
        ...(this.stores.clock.boundNow() === null && { keeperThread: this.stores.keeperThread }),
        jobs: [...this.catalog.entries().values()],
        readPayload,
        clock: this.stores.clock,
        emit: this.events.emit,
      },
      { concurrency, queues, pollIntervalMs, shutdownTimeoutMs },
    );
  }

  private warnAboutPool(concurrency: number): void {
    const connections = poolSizeOf(this.dataSource);
    const wanted = concurrency + OWN_CONNECTIONS;
    if (connections >= wanted) return;
    this.warn(
      `The worker runs ${concurrency} executions at a time, but the data source has ${connections} connection(s): handlers and renewals of leases may wait for one another. Give TypeOrmModule.forRoot() "poolSize: ${wanted}" or more, or lower worker.concurrency.`,
    );
  }

  private warn(message: string): void {
    this.events.emit({ type: 'configuration.warned', message });
  }
}
