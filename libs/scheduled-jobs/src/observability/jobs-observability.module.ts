import { ConfigurableModuleBuilder, Inject, Module, Optional, type DynamicModule, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { InvalidOptionsError } from '../core/errors.js';
import { EngineEvents } from '../nest/services/engine-events.js';
import { JobHandlerDecorator } from '../nest/jobs/job-handler-decorator.js';
import { ledgerImports } from '../nest/ledger-imports.js';
import { ENQUEUE_TRACER, ONE_PASS, TICK_TRACER } from '../nest/tokens.js';
import { Worker } from '../nest/services/worker.js';
import { JobsHealth } from './health/jobs-health.js';
import { LedgerWatch } from './ledger-watch.js';
import { createMetrics } from './metrics/create-metrics.js';
import { JobsMetrics } from './metrics/jobs-metrics.js';
import {
  OBSERVABILITY_OPTIONS,
  resolveObservability,
  resolveParts,
  resolveStructure,
  type JobsObservabilityOptions,
  type ObservabilityParts,
  type ObservabilityStructure,
  type ResolvedObservability,
  type ResolvedRoutes,
} from './observability-options.js';
import { observabilityControllers } from './observability-routes.js';
import { optionalPeer } from './optional-peer.js';
import { ProbeAnswers } from './probe-answers.js';
import { ProbeServer } from './probe-server.js';
import { JobTracing, TracedHandlers } from './tracing/job-tracing.js';

const GIVEN_PARTS = Symbol.for('nestjs-scheduled-jobs/given-observability');

const { ConfigurableModuleClass, ASYNC_OPTIONS_TYPE } = new ConfigurableModuleBuilder<ObservabilityParts>({
  optionsInjectionToken: GIVEN_PARTS,
})
  .setClassMethodName('forRoot')
  .setExtras<ObservabilityStructure>({ routes: false }, (definition, structure) => {
    const given = { provide: OBSERVABILITY_OPTIONS, useFactory: resolveParts, inject: [GIVEN_PARTS] };
    // What the factory switches on is not known yet: every part is there, and does nothing where it is off.
    const all = { metrics: true, listen: true, tracing: true, routes: resolveStructure(structure) };
    const { providers = [], imports = [], ...parts } = partsOf(given, all);
    return {
      ...definition,
      ...parts,
      imports: [...(definition.imports ?? []), ...imports],
      providers: [...(definition.providers ?? []), ...providers],
    };
  })
  .build();

/**
 * Metrics, traces, health and probes of the jobs. Each part is there when its option is given; what it needs of
 * `prom-client` and `@opentelemetry/api` is loaded then.
 */
@Module({})
export class JobsObservabilityModule extends ConfigurableModuleClass {
  /** @throws InvalidOptionsError when the bare class is imported, or the ledger is not. */
  constructor(modules: ModulesContainer, @Optional() @Inject(OBSERVABILITY_OPTIONS) options?: ResolvedObservability) {
    super();
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
  static override forRoot(options: JobsObservabilityOptions = {}): DynamicModule {
    const { routes, ...resolved } = resolveObservability(options);
    const { metrics, listen, tracing } = resolved;
    const there = { metrics: metrics !== null, listen: listen !== null, tracing, routes };
    return {
      module: JobsObservabilityModule,
      ...partsOf({ provide: OBSERVABILITY_OPTIONS, useValue: resolved }, there),
    };
  }

  /**
   * The same with options from a factory or a class, but for `routes`, which stands beside it. `JobsMetrics` is null when
   * the options leave metrics out.
   * @throws InvalidOptionsError that lists every problem of the routes; those of the options, when the application starts.
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}

/** What there is to be. */
interface There {
  readonly metrics: boolean;
  readonly listen: boolean;
  readonly tracing: boolean;
  readonly routes: ResolvedRoutes | null;
}

function partsOf(options: Provider, { metrics, listen, tracing, routes }: There): Omit<DynamicModule, 'module'> {
  return {
    global: true,
    imports: [...(routes?.imports ?? [])],
    providers: [
      options,
      LedgerWatch,
      JobsHealth,
      ProbeAnswers,
      ...(metrics ? [METRICS] : []),
      ...(listen ? [LISTENER] : []),
      ...(tracing ? TRACING : []),
    ],
    controllers: routes === null ? [] : observabilityControllers(routes, metrics),
    exports: [
      JobsHealth,
      ...(metrics ? [JobsMetrics] : []),
      ...(listen ? [ProbeServer] : []),
      ...(tracing ? [ENQUEUE_TRACER, TICK_TRACER] : []),
    ],
  };
}

const METRICS: Provider = {
  provide: JobsMetrics,
  useFactory: async ({ metrics }: ResolvedObservability, events: EngineEvents, watch: LedgerWatch, worker: Worker) => {
    if (metrics === null) return null;
    const client = await optionalPeer('prom-client', 'metrics', () => import('prom-client'));
    return createMetrics({ client, registry: metrics.registry, events, watch, worker });
  },
  inject: [OBSERVABILITY_OPTIONS, EngineEvents, LedgerWatch, Worker],
};

const TRACING: readonly Provider[] = [
  {
    provide: ENQUEUE_TRACER,
    useFactory: async ({ tracing: isOn }: ResolvedObservability, events: EngineEvents) => {
      if (!isOn) return null;
      const api = await optionalPeer('@opentelemetry/api', 'tracing', () => import('@opentelemetry/api'));
      const tracing = new JobTracing(api);
      events.subscribe((event) => tracing.observe(event));
      return tracing;
    },
    inject: [OBSERVABILITY_OPTIONS, EngineEvents],
  },
  { provide: TICK_TRACER, useExisting: ENQUEUE_TRACER },
  {
    provide: JobHandlerDecorator,
    useFactory: (tracing: JobTracing | null) => new TracedHandlers(tracing),
    inject: [ENQUEUE_TRACER],
  },
];

const LISTENER: Provider = {
  provide: ProbeServer,
  useFactory: (
    { listen }: ResolvedObservability,
    probes: ProbeAnswers,
    metrics: JobsMetrics | null = null,
    isOnePass = false,
  ) =>
    // A process that makes one pass is not asked how it is, and a port may be taken by one that stays.
    new ProbeServer(isOnePass ? null : listen, probes, metrics),
  inject: [
    OBSERVABILITY_OPTIONS,
    ProbeAnswers,
    { token: JobsMetrics, optional: true },
    { token: ONE_PASS, optional: true },
  ],
};
