import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { UnknownJobError } from '../../core/errors.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import { nearest } from '../../core/job/nearest-name.js';
import { resolveJobs } from '../../core/job/resolve-jobs.js';
import type { RegisteredJob } from '../../engine/registered-job.js';
import { AlertWebhook } from '../services/alert-webhook.js';
import { JobExplorer } from './job-explorer.js';
import { JobHandlerDecorator } from './job-handler-decorator.js';
import type { ResolvedModuleOptions } from '../options/module-options.js';
import { MODULE_OPTIONS } from '../tokens.js';

type Job = RegisteredJob<EntityManager>;
type Jobs = ReadonlyMap<string, Job>;

/** All jobs of this application by name, and the library's own. Loaded once, when every provider exists. */
@Injectable()
export class JobCatalog {
  private byName: Jobs | null = null;

  constructor(
    private readonly explorer: JobExplorer,
    private readonly discovery: DiscoveryService,
    @Inject(MODULE_OPTIONS) private readonly options: ResolvedModuleOptions,
    private readonly webhook: AlertWebhook,
  ) {}

  /**
   * The jobs, by name.
   * @throws InvalidOptionsError that lists the mistakes of all jobs; DuplicateJobError when there is no other mistake.
   */
  entries(): Jobs {
    this.byName ??= this.load();
    return this.byName;
  }

  definitions(): readonly JobDefinition[] {
    return [...this.entries().values()].map(({ definition }) => definition);
  }

  /** @throws UnknownJobError when this application has no such job. */
  get(name: string): JobDefinition {
    const definition = this.entries().get(name)?.definition;
    if (definition !== undefined) return definition;
    const renamed = this.definitions().find(({ aliases }) => aliases.includes(name));
    if (renamed !== undefined) throw new UnknownJobError(name, { renamedTo: renamed.name });
    // Plain JavaScript may hand in anything.
    const meant = typeof (name as unknown) === 'string' ? nearest(name, [...this.entries().keys()]) : null;
    throw new UnknownJobError(name, meant === null ? {} : { suggestion: meant });
  }

  private load(): Jobs {
    const discovered = this.explorer.explore();
    const definitions = resolveJobs(discovered, { timeZone: this.options.timeZone, overrides: this.options.jobs });
    const decorate = this.handlerDecorator();
    const own = this.webhook.job();
    return new Map([
      ...discovered.flatMap(({ handler }, index): [string, Job][] => {
        const definition = definitions[index];
        if (definition === undefined) return [];
        return [[definition.name, { definition, handler: decorate(handler, definition.name) }]];
      }),
      ...(own === null ? [] : [[own.definition.name, own] as const]),
    ]);
  }

  /** All decorators that modules provide, the first found innermost. */
  private handlerDecorator(): JobHandlerDecorator['decorate'] {
    const decorators = this.discovery
      .getProviders()
      .filter((wrapper) => wrapper.token === JobHandlerDecorator && !wrapper.isAlias)
      .map((wrapper) => wrapper.instance as JobHandlerDecorator);
    return (handler, jobName) => decorators.reduce((inner, decorator) => decorator.decorate(inner, jobName), handler);
  }
}
