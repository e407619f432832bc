import type { Registry } from 'prom-client';
import type { EngineEvents } from '../../nest/services/engine-events.js';
import type { Worker } from '../../nest/services/worker.js';
import type { LedgerWatch } from '../ledger-watch.js';
import type { MetricsRegistry } from '../observability-options.js';
import { EventMetrics } from './event-metrics.js';
import { JobsMetrics } from './jobs-metrics.js';
import { registerLedgerMetrics } from './ledger-metrics.js';

export interface MetricsDependencies {
  readonly client: typeof import('prom-client');
  /** Null = one of its own. */
  readonly registry: MetricsRegistry | null;
  readonly events: EngineEvents;
  readonly watch: LedgerWatch;
  readonly worker: Worker;
}

/** Registers all metrics and counts from now on. */
export function createMetrics({ client, registry, events, watch, worker }: MetricsDependencies): JobsMetrics {
  const held = (registry ?? new client.Registry()) as Registry;
  const names = (): readonly string[] => held.getMetricsAsArray().map(({ name }) => name);
  const others = new Set(names());
  const counts = new EventMetrics(client, held);
  registerLedgerMetrics({ client, registry: held, watch, worker });
  const own = names().filter((name) => !others.has(name));
  const unsubscribe = events.subscribe((event) => counts.count(event));
  return new JobsMetrics(held, () => {
    unsubscribe();
    for (const name of own) held.removeSingleMetric(name);
  });
}
