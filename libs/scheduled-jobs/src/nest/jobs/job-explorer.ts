import { Injectable } from '@nestjs/common';
import { ContextIdFactory, DiscoveryService, ModuleRef } from '@nestjs/core';
import type { DeclaredJob } from '../../core/job/declared-job.js';
import type { JobHandler } from './job-handler-decorator.js';
import { declaredJobs, unprovidedClasses, type JobDeclaration } from './job-metadata.js';
import type { JobRun } from './job-run.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Methods = Readonly<Record<string | symbol, unknown>>;

/** A class as far as it is looked at here. */
interface Class {
  readonly name: string;
  readonly prototype?: unknown;
}

/** Where the decorators of @nestjs/schedule leave their kind, on the function. */
const SCHEDULER_TYPE = 'SCHEDULER_TYPE';
const TIMER_DECORATORS: Readonly<Record<number, string>> = { 1: '@Cron', 2: '@Timeout', 3: '@Interval' };

/** A decorated method together with the way to call it. */
export interface DiscoveredJob extends DeclaredJob {
  readonly handler: JobHandler;
}

/** Finds the decorated methods of all providers and controllers of the application. */
@Injectable()
export class JobExplorer {
  constructor(private readonly discovery: DiscoveryService) {}

  explore(): readonly DiscoveredJob[] {
    const carriers = this.carriers();
    const classes = carriers.map(({ metatype }) => metatype);
    return carriers.flatMap(({ wrapper, metatype }) => {
      const twice = classes.indexOf(metatype) !== classes.lastIndexOf(metatype);
      const module = twice ? ` in ${wrapper.host?.name ?? 'an unknown module'}` : '';
      return declaredJobs(metatype).map((declaration) => ({
        ...discovered(wrapper, declaration, `${metatype.name}.${String(declaration.method)}${module}`),
        problems: timerProblems(metatype, declaration),
      }));
    });
  }

  /** Decorated methods of classes that are loaded and that no module provides, such as `Reports.daily`. */
  unprovided(): readonly string[] {
    const provided = this.carriers().map(({ metatype }) => metatype);
    return unprovidedClasses(provided).flatMap((metatype) =>
      declaredJobs(metatype).map(({ method }) => `${metatype.name}.${String(method)}`),
    );
  }

  /** Each instance once, although it may be provided under several tokens. */
  private carriers(): readonly { readonly wrapper: Wrapper; readonly metatype: Class }[] {
    const seen = new Set<unknown>();
    return [...this.discovery.getProviders(), ...this.discovery.getControllers()].flatMap((wrapper) => {
      const metatype = wrapper.isAlias ? null : classOf(wrapper);
      const identity: unknown = isPerExecution(wrapper) ? wrapper : wrapper.instance;
      if (metatype === null || declaredJobs(metatype).length === 0 || seen.has(identity)) return [];
      seen.add(identity);
      return [{ wrapper, metatype }];
    });
  }
}

const isPerExecution = (wrapper: Wrapper): boolean => wrapper.isTransient || !wrapper.isDependencyTreeStatic();

// The instance knows its class better than the wrapper, whose metatype may be a factory.
function classOf(wrapper: Wrapper): Class | null {
  const instance: unknown = wrapper.instance;
  if (!isPerExecution(wrapper) && typeof instance === 'object' && instance !== null) {
    const prototype = Object.getPrototypeOf(instance) as { readonly constructor?: unknown } | null;
    return typeof prototype?.constructor === 'function' ? prototype.constructor : null;
  }
  return typeof wrapper.metatype === 'function' ? wrapper.metatype : null;
}

/** A timer decorator that was left on the method would call it in every process, beside the ledger. */
function timerProblems({ prototype }: Class, { method, kind }: JobDeclaration): readonly string[] {
  const handler = (prototype as Methods | undefined)?.[method];
  const type: unknown = typeof handler === 'function' ? Reflect.getMetadata(SCHEDULER_TYPE, handler) : undefined;
  if (type === undefined) return [];
  const decorator = TIMER_DECORATORS[Number(type)] ?? 'a decorator';
  const instead = kind === 'scheduled' ? '@ScheduledJob alone runs it' : 'enqueue the job where you need it';
  return [`the method also carries ${decorator} of @nestjs/schedule, so it would run twice. Remove that: ${instead}`];
}

function discovered(wrapper: Wrapper, { kind, cron, options, method }: JobDeclaration, place: string): DiscoveredJob {
  const call = (instance: unknown, run: JobRun<unknown>): Promise<unknown> =>
    promised(() => ((instance as Methods)[method] as JobHandler).call(instance, run));
  const handler: JobHandler = isPerExecution(wrapper)
    ? async (run) => call(await resolve(wrapper, run), run)
    : (run) => call(wrapper.instance, run);
  return { kind, cron, options, place, handler };
}

/** A promise also of what a method returns or throws at once; an async function would put one more around each promise. */
function promised(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * An instance with a dependency injection context of its own, in which `REQUEST` is the run. Asked of the module that
 * provides it, because two modules may use one token for different things.
 */
async function resolve(wrapper: Wrapper, run: JobRun<unknown>): Promise<unknown> {
  const moduleRef = wrapper.host?.getProviderByKey<ModuleRef>(ModuleRef).instance;
  if (moduleRef === undefined) throw new TypeError(`${wrapper.name} belongs to no module, so it cannot be resolved.`);
  const contextId = ContextIdFactory.create();
  moduleRef.registerRequestByContextId(run, contextId);
  return moduleRef.resolve(wrapper.token, contextId, { strict: true });
}
