import { Inject, Injectable } from '@nestjs/common';
import { Presence as EnginePresence } from '../engine/presence.js';
import { SYSTEM_CLOCK } from '../engine/system-clock.js';
import type { Stores } from '../postgres/create-stores.js';
import { EngineEvents } from './engine-events.js';
import { JobCatalog } from './job-catalog.js';
import type { ResolvedModuleOptions } from './module-options.js';
import { MODULE_OPTIONS, STORES } from './tokens.js';

/** Says that this process carries its schedules. It is started with the application, whatever else that does. */
@Injectable()
export class Presence {
  private engine: EnginePresence | null = null;

  constructor(
    private readonly catalog: JobCatalog,
    private readonly events: EngineEvents,
    @Inject(MODULE_OPTIONS) private readonly options: ResolvedModuleOptions,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  /** Safe to call twice. */
  start(): void {
    this.engine ??= new EnginePresence({
      store: this.stores.schedules,
      definitions: this.catalog.definitions(),
      release: this.options.release,
      clock: SYSTEM_CLOCK,
      emit: this.events.emit,
    });
    this.engine.start();
  }

  /** Resolves when what is going on has ended, at most 5 s later; safe to call twice. */
  async stop(): Promise<void> {
    await this.engine?.stop();
  }
}
