import { Inject, Injectable } from '@nestjs/common';
import type { InstanceFacts } from '../../core/ports/instance-store.js';
import { Presence as EnginePresence } from '../../engine/presence.js';
import { createWorkerId } from '../../engine/worker-id.js';
import type { Stores } from '../../postgres/create-stores.js';
import { definitionsDigest } from '../jobs/definitions-digest.js';
import { EngineEvents } from './engine-events.js';
import { JobCatalog } from '../jobs/job-catalog.js';
import type { ResolvedModuleOptions } from '../options/module-options.js';
import { packageVersion } from '../package-version.js';
import { MODULE_OPTIONS, STORES } from '../tokens.js';
import { Worker } from './worker.js';

/** Says that this process is alive and carries its schedules. It is started with the application, whatever else that does. */
@Injectable()
export class Presence {
  private readonly instanceId = createWorkerId();
  private engine: EnginePresence | null = null;

  constructor(
    private readonly catalog: JobCatalog,
    private readonly events: EngineEvents,
    private readonly worker: Worker,
    @Inject(MODULE_OPTIONS) private readonly options: ResolvedModuleOptions,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  /** Safe to call twice. */
  start(): void {
    const definitions = this.catalog.definitions();
    const digest = definitionsDigest(definitions);
    this.engine ??= new EnginePresence({
      store: this.stores.schedules,
      instances: this.stores.instances,
      facts: () => this.facts(digest),
      definitions,
      release: this.options.release,
      clock: this.stores.clock,
      emit: this.events.emit,
    });
    this.engine.start();
  }

  /** Resolves when what is going on has ended, at most 5 s later; safe to call twice. */
  async stop(): Promise<void> {
    await this.engine?.stop();
  }

  /** Says that this process has stopped, once nothing of it works any more; safe to call twice. */
  async leave(): Promise<void> {
    await this.engine?.leave();
  }

  private facts(digest: string): InstanceFacts {
    const workerId = this.worker.id;
    return {
      instanceId: this.instanceId,
      roles: [
        ...(this.options.scheduler ? (['scheduler'] as const) : []),
        ...(workerId === null ? [] : (['worker'] as const)),
      ],
      workerId,
      version: packageVersion(),
      definitionsDigest: digest,
      zoneData: process.versions['tz'] ?? null,
    };
  }
}
