import { Inject, Module, Optional, type DynamicModule, type NestModule } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { InvalidOptionsError } from '../core/errors.js';
import { ledgerImports } from '../nest/ledger-imports.js';
import { Actions } from './actions/actions.js';
import { Idempotency } from './actions/idempotency.js';
import { ChangeFeed } from './events/change-feed.js';
import { HTTP_OPTIONS, resolveHttpOptions, type JobsHttpOptions } from './jobs-http-options.js';
import { mountControllers, type MountedController } from './mounted-controller.js';
import { OPERATE_PROBE, operateProbe } from './security/operate-probe.js';

const CONTROLLERS = Symbol.for('nestjs-scheduled-jobs/http-controllers');

/**
 * The REST API over the ledger, below `<global prefix>/<path>/api`, the same under any versioning. Closed by default: give
 * it `guards`, or say `access: 'host'`.
 */
@Module({})
export class JobsHttpModule implements NestModule {
  private readonly controllers: readonly MountedController[];

  /** @throws InvalidOptionsError when the bare class is imported, or the ledger is not. */
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    modules: ModulesContainer,
    @Optional() @Inject(CONTROLLERS) controllers?: readonly MountedController[],
  ) {
    const problems = [
      ...(controllers === undefined ? ['JobsHttpModule is imported bare. Use JobsHttpModule.forRoot()'] : []),
      ...(ledgerImports(modules) === 0
        ? ['JobsHttpModule shows the ledger of ScheduledJobsModule. Import ScheduledJobsModule.forRoot() as well']
        : []),
    ];
    if (problems.length > 0) throw new InvalidOptionsError(problems);
    this.controllers = controllers ?? [];
  }

  /** @throws InvalidOptionsError that lists every problem of the options. */
  static forRoot(options: JobsHttpOptions = {}): DynamicModule {
    const resolved = resolveHttpOptions(options);
    const controllers = mountControllers(resolved);
    return {
      module: JobsHttpModule,
      imports: [...resolved.imports],
      providers: [
        { provide: HTTP_OPTIONS, useValue: resolved },
        { provide: CONTROLLERS, useValue: controllers },
        { provide: OPERATE_PROBE, useClass: operateProbe(resolved) },
        ChangeFeed,
        Actions,
        Idempotency,
      ],
      controllers: controllers.map(({ type }) => type),
    };
  }

  /** Nest calls this right before it registers routes; only now it is certain which router will take them. */
  configure(): void {
    const anything = this.adapterHost.httpAdapter.getType() === 'fastify' ? '*' : '*rest';
    for (const controller of this.controllers) controller.openEnd(anything);
  }
}
