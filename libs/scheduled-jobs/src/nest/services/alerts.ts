import { Inject, Injectable } from '@nestjs/common';
import { Alerter, type AlerterSummary } from '../../engine/alerter.js';
import type { Stores } from '../../postgres/create-stores.js';
import { AlertWebhook } from './alert-webhook.js';
import { EngineEvents } from './engine-events.js';
import type { ResolvedModuleOptions } from '../options/module-options.js';
import { MODULE_OPTIONS, STORES } from '../tokens.js';

/** Raises alerts, in every process that ticks or claims and whose module has `alerts`; one of them leads at a time. */
@Injectable()
export class Alerts {
  private readonly engine: Alerter | null;

  constructor(
    @Inject(MODULE_OPTIONS) { alerts }: ResolvedModuleOptions,
    @Inject(STORES) stores: Stores,
    events: EngineEvents,
    webhook: AlertWebhook,
  ) {
    this.engine =
      alerts === null
        ? null
        : new Alerter({
            store: stores.alerts,
            leases: stores.leases,
            clock: stores.clock,
            emit: events.emit,
            rules: alerts.rules,
            delivery: webhook.delivery(),
            onAlert: alerts.onAlert,
          });
  }

  /** Does nothing where the module has no `alerts`. Safe to call twice. */
  start(): void {
    this.engine?.start();
  }

  /** Resolves when what is going on has ended, at most 5 s later; safe to call twice. */
  async stop(): Promise<void> {
    await this.engine?.stop();
  }

  /**
   * Looks once, for a process whose timer is somebody else's.
   * @returns what was done; null = another instance is at it, or the module has no `alerts`.
   * @throws StoreUnavailableError when the database cannot be reached.
   */
  async runOnce(): Promise<AlerterSummary | null> {
    return (await this.engine?.runOnce()) ?? null;
  }
}
