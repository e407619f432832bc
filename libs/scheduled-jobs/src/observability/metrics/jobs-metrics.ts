import type { OnModuleDestroy } from '@nestjs/common';
import type { MetricsRegistry } from '../observability-options.js';

/** The metrics of this process, in the text format of Prometheus. They are there when the option `metrics` is set. */
export class JobsMetrics implements OnModuleDestroy {
  /** @internal */
  constructor(
    /** The registry of `prom-client` that holds them. */
    readonly registry: MetricsRegistry,
    private readonly remove: () => void,
  ) {}

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Never rejects because of the database: what cannot be read is left out. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Leaves an application's own registry as it was, so that another application of the process may use it. */
  onModuleDestroy(): void {
    this.remove();
  }
}
