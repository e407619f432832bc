import {
  ConfigurableModuleBuilder,
  Module,
  type DynamicModule,
  type InjectionToken,
  type Provider,
} from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InvalidOptionsError } from '../core/errors.js';
import type { Clock } from '../core/ports/clock.js';
import { createStores } from '../postgres/create-stores.js';
import { AlertWebhook } from './services/alert-webhook.js';
import { Alerts } from './services/alerts.js';
import { Backfills } from './client/backfills.js';
import { CompletenessCheck } from './client/completeness-check.js';
import { EngineEvents } from './services/engine-events.js';
import { Enqueuer } from './client/enqueuer.js';
import { JobCatalog } from './jobs/job-catalog.js';
import { JobExplorer } from './jobs/job-explorer.js';
import { JobsClient } from './client/jobs-client.js';
import { ledgerImports, severalLedgers } from './ledger-imports.js';
import { Leases } from './client/leases.js';
import { LoggerSubscriber } from './logger.subscriber.js';
import {
  resolveModuleOptions,
  type ResolvedModuleOptions,
  type ScheduledJobsOptions,
} from './options/module-options.js';
import { OperatorActions } from './client/operator-actions.js';
import { Presence } from './services/presence.js';
import { ScheduledJobsLifecycle } from './scheduled-jobs.lifecycle.js';
import { Queues } from './client/queues.js';
import { Scheduler } from './services/scheduler.js';
import { StopFirstModule } from './stop-first.module.js';
import { CLOCK, DATA_SOURCE, GIVEN_OPTIONS, MODULE_OPTIONS, STORES, WAKE_UP_REGISTRY } from './tokens.js';
import { Upkeep } from './services/upkeep.js';
import { Worker } from './services/worker.js';

/** What is part of the module's structure, so that no factory can give it. */
export interface ScheduledJobsStructure {
  /** The data source of the ledger: the name given to TypeOrmModule, or an injection token. Default TypeORM's default. */
  readonly dataSource?: InjectionToken;
}

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ScheduledJobsOptions>({ optionsInjectionToken: GIVEN_OPTIONS })
    .setClassMethodName('forRoot')
    .setExtras<ScheduledJobsStructure>({ dataSource: 'default' }, (definition, { dataSource }) => ({
      ...definition,
      global: true,
      imports: [...(definition.imports ?? []), DiscoveryModule, StopFirstModule],
      providers: [...(definition.providers ?? []), ...connections(dataSource ?? 'default'), ...PARTS],
      exports: [
        JobsClient,
        Leases,
        Scheduler,
        Worker,
        Upkeep,
        Alerts,
        JobCatalog,
        EngineEvents,
        ScheduledJobsLifecycle,
        STORES,
        DATA_SOURCE,
        MODULE_OPTIONS,
      ],
    }))
    .build();

const PARTS: readonly Provider[] = [
  EngineEvents,
  LoggerSubscriber,
  JobExplorer,
  AlertWebhook,
  JobCatalog,
  Enqueuer,
  Backfills,
  CompletenessCheck,
  Queues,
  OperatorActions,
  JobsClient,
  Leases,
  Scheduler,
  Worker,
  Upkeep,
  Alerts,
  Presence,
  ScheduledJobsLifecycle,
];

function connections(dataSource: InjectionToken): readonly Provider[] {
  return [
    { provide: MODULE_OPTIONS, useFactory: readOptions, inject: [GIVEN_OPTIONS, ModulesContainer] },
    {
      provide: DATA_SOURCE,
      useFactory: (found?: DataSource) => usableDataSource(found, dataSource),
      inject: [{ token: tokenOf(dataSource), optional: true }],
    },
    {
      provide: STORES,
      useFactory: (source: DataSource, options: ResolvedModuleOptions, { emit }: EngineEvents, clock?: Clock) => {
        const { schema, listenUrl } = options;
        return createStores(source, { schema, listenUrl, emit, ...(clock && { clock }) });
      },
      inject: [DATA_SOURCE, MODULE_OPTIONS, EngineEvents, { token: CLOCK, optional: true }],
    },
    {
      // The application's own registry where it imports ScheduleModule. We do not import that: a second one would find
      // the application's @Cron methods once more.
      provide: WAKE_UP_REGISTRY,
      useFactory: (registry?: SchedulerRegistry) => registry ?? new SchedulerRegistry(),
      inject: [{ token: SchedulerRegistry, optional: true }],
    },
  ];
}

const tokenOf = (dataSource: InjectionToken): InjectionToken =>
  typeof dataSource === 'string' ? (getDataSourceToken(dataSource) as InjectionToken) : dataSource;

/** Refuses a second import before it can do anything. */
function readOptions(options: unknown, modules: ModulesContainer): ResolvedModuleOptions {
  const imports = ledgerImports(modules);
  if (imports > 1) throw new InvalidOptionsError([severalLedgers(imports)]);
  return resolveModuleOptions(options);
}

function usableDataSource(dataSource: DataSource | undefined, token: InjectionToken): DataSource {
  const name = typeof token === 'function' ? token.name : String(token);
  if (dataSource === undefined) {
    throw new InvalidOptionsError([
      `There is no data source "${name}". Import TypeOrmModule.forRoot(), or name another one with the option "dataSource".`,
    ]);
  }
  if (dataSource.options.type === 'postgres') return dataSource;
  throw new InvalidOptionsError([
    `The data source "${name}" is of type "${dataSource.options.type}". The ledger needs one of type "postgres".`,
  ]);
}

/**
 * Scheduled and background jobs, kept in PostgreSQL. Import it once, in the root module; it is global, so that
 * `JobsClient` can be injected anywhere. Start-up fails with one error that lists every mistake of its options.
 */
@Module({})
export class ScheduledJobsModule extends ConfigurableModuleClass {
  /** @throws InvalidOptionsError when only the bare class is imported, which provides nothing. */
  constructor(modules: ModulesContainer) {
    super();
    if (ledgerImports(modules) > 0) return;
    throw new InvalidOptionsError([
      'ScheduledJobsModule is imported bare. Use ScheduledJobsModule.forRoot() in the root module',
    ]);
  }

  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
