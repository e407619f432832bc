import { Inject, Module, Optional, type DynamicModule, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { InvalidOptionsError } from '../core/errors.js';
import { EngineEvents } from '../nest/services/engine-events.js';
import { JobHandlerDecorator } from '../nest/jobs/job-handler-decorator.js';
import { ledgerImports } from '../nest/ledger-imports.js';
import { ENQUEUE_TRACER, ONE_PASS } from '../nest/tokens.js';
import { Worker } from '../nest/services/worker.js';
import { JobsHealth } from './health/jobs-health.js';
import { LedgerWatch } from './ledger-watch.js';
import { createMetrics } from './metrics/create-metrics.js';
import { JobsMetrics } from './metrics/jobs-metrics.js';
import {
  OBSERVABILITY_OPTIONS,
  resolveObservability,
  type JobsObservabilityOptions,
  type ResolvedObservability,
} from './observability-options.js';
import { observabilityControllers } from './observability-routes.js';
import { optionalPeer } from './optional-peer.js';
import { ProbeAnswers } from './probe-answers.js';
import { ProbeServer } from './probe-server.js';
import { JobTracing, TracedHandlers } from './tracing/job-tracing.js';

/**
 * Metrics, traces, health and probes of the jobs. Each part is there when its option is given; what it needs of
 * `prom-client` and `@opentelemetry/api` is loaded then.
 */
@Module({})
export class JobsObservabilityModule {
  /** @throws InvalidOptionsError when the bare class is imported, or the ledger is not. */
  constructor(modules: ModulesContainer, @Optional() @Inject(OBSERVABILITY_OPTIONS) options?: ResolvedObservability) {
    const problems = [
      ...(options === undefined
        ? ['JobsObservabilityModule is imported bare. Use JobsObservabilityModule.forRoot()']
        : []),
      ...(ledgerImports(modules) === 0
        ? [
            'JobsObservabilityModule watches the jobs of ScheduledJobsModule. Import ScheduledJobsModule.forRoot() as well',
          ]
        : []),
    ];
    if (problems.length > 0) throw new InvalidOptionsError(problems);
  }

  /** @throws InvalidOptionsError that lists every problem of the options. */
  static forRoot(options: JobsObservabilityOptions = {}): DynamicModule {
    const resolved = resolveObservability(options);
    const { metrics, routes, listen } = resolved;
    const parts: readonly Provider[] = [
      ...(metrics === null ? [] : [metricsProvider(metrics)]),
      ...(listen === null ? [] : [listenerProvider(listen)]),
      ...(resolved.tracing ? TRACING : []),
    ];
    return {
      module: JobsObservabilityModule,
      global: true,
      imports: [...(routes?.imports ?? [])],
      providers: [
        { provide: OBSERVABILITY_OPTIONS, useValue: resolved },
        LedgerWatch,
        JobsHealth,
        ProbeAnswers,
        ...parts,
      ],
      controllers: routes === null ? [] : observabilityControllers(routes, metrics !== null),
      exports: [
        JobsHealth,
        ...(metrics === null ? [] : [JobsMetrics]),
        ...(listen === null ? [] : [ProbeServer]),
        ...(resolved.tracing ? [ENQUEUE_TRACER] : []),
      ],
    };
  }
}

const metricsProvider = ({ registry }: NonNullable<ResolvedObservability['metrics']>): Provider => ({
  provide: JobsMetrics,
  useFactory: async (events: EngineEvents, watch: LedgerWatch, worker: Worker) => {
    const client = await optionalPeer('prom-client', 'metrics', () => import('prom-client'));
    return createMetrics({ client, registry, events, watch, worker });
  },
  inject: [EngineEvents, LedgerWatch, Worker],
});

const TRACING: readonly Provider[] = [
  {
    provide: ENQUEUE_TRACER,
    useFactory: async (events: EngineEvents) => {
      const api = await optionalPeer('@opentelemetry/api', 'tracing', () => import('@opentelemetry/api'));
      const tracing = new JobTracing(api);
      events.subscribe((event) => tracing.observe(event));
      return tracing;
    },
    inject: [EngineEvents],
  },
  {
    provide: JobHandlerDecorator,
    useFactory: (tracing: JobTracing) => new TracedHandlers(tracing),
    inject: [ENQUEUE_TRACER],
  },
];

const listenerProvider = (listen: NonNullable<ResolvedObservability['listen']>): Provider => ({
  provide: ProbeServer,
  useFactory: (probes: ProbeAnswers, metrics?: JobsMetrics, isOnePass = false) =>
    // A process that makes one pass is not asked how it is, and a port may be taken by one that stays.
    new ProbeServer(isOnePass ? null : listen, probes, metrics ?? null),
  inject: [ProbeAnswers, { token: JobsMetrics, optional: true }, { token: ONE_PASS, optional: true }],
});
