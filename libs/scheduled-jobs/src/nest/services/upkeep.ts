import { Inject, Injectable } from '@nestjs/common';
import { Upkeep as EngineUpkeep, type UpkeepSummary } from '../../engine/upkeep.js';
import type { Stores } from '../../postgres/create-stores.js';
import { EngineEvents } from './engine-events.js';
import { STORES } from '../tokens.js';

/**
 * Duties that one of all instances does about once a minute: it suspends schedules that nobody carries, and removes old
 * executions. It runs in every process that ticks or claims.
 */
@Injectable()
export class Upkeep {
  private readonly engine: EngineUpkeep;

  constructor(@Inject(STORES) stores: Stores, events: EngineEvents) {
    const { leases, suspensions, retention, instances, requests } = stores;
    this.engine = new EngineUpkeep({
      leases,
      suspensions,
      retention,
      instances,
      requests,
      clock: stores.clock,
      emit: events.emit,
    });
  }

  /** Safe to call twice. */
  start(): void {
    this.engine.start();
  }

  /** Resolves when the statement that may be going on has ended, at most 5 s later; safe to call twice. */
  stop(): Promise<void> {
    return this.engine.stop();
  }

  /**
   * Does the duties once, for a process whose timer is somebody else's.
   * @returns what was done; null = another instance is at it.
   * @throws StoreUnavailableError when the database cannot be reached.
   */
  runOnce(): Promise<UpkeepSummary | null> {
    return this.engine.runOnce();
  }
}
