import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import { InvalidOptionsError } from '../core/errors.js';
import { OptionReader } from '../core/job/option-reader.js';
import { readAccess, readRoutePath, type ResolvedAccess } from '../nest/options/access-options.js';

/** What `JobsHttpModule.forRoot` takes. Without `guards` and without `access` every route answers 403. */
export interface JobsHttpOptions {
  /** Where the routes live, below the application's global prefix: `<path>/` and `<path>/api/…`. Default `scheduled-jobs`. */
  readonly path?: string;
  /** Guards of every route, as classes or instances; all must agree. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** `host`: guards of the whole application protect the routes, so none are needed here. */
  readonly access?: 'host';
  /** Modules whose exports the guards need. */
  readonly imports?: ModuleMetadata['imports'];
  /** Show stacks of errors to readers of one execution. Default false: stacks name paths of the server. */
  readonly showStacks?: boolean;
  /**
   * Who sends a request, as it stands in the audit; longer than 200 characters, a digest takes the place of the end. Default the `id`, `name`, `email` or `sub` of
   * `request.user`, the first that is there; null = nobody in particular.
   */
  actorOf?(request: object): string | null | undefined | Promise<string | null | undefined>;
  /** Serve the dashboard at `<path>/`, behind the same guards. Default true. */
  readonly dashboard?: boolean;
}

/** The options with defaults filled in. */
export interface ResolvedHttpOptions extends ResolvedAccess {
  readonly path: string;
  readonly showStacks: boolean;
  /** Null = what `request.user` is known by. */
  readonly actorOf: NonNullable<JobsHttpOptions['actorOf']> | null;
  readonly dashboard: boolean;
}

/** The injection token of the resolved options. */
export const HTTP_OPTIONS = Symbol.for('nestjs-scheduled-jobs/http-options');

const NAMES = ['path', 'guards', 'access', 'imports', 'showStacks', 'actorOf', 'dashboard'] as const;

/**
 * Fills in defaults and checks the options.
 * @throws InvalidOptionsError that lists every problem.
 */
export function resolveHttpOptions(options: JobsHttpOptions): ResolvedHttpOptions {
  const problems: string[] = [];
  const reader = new OptionReader(options, 'JobsHttpModule', problems);
  reader.allowOnly(NAMES);
  const resolved: ResolvedHttpOptions = {
    ...readAccess(reader),
    path: readRoutePath(reader, 'path', { fallback: 'scheduled-jobs', example: 'ops/jobs' }),
    showStacks: reader.boolean('showStacks', false),
    actorOf: reader.function('actorOf'),
    dashboard: reader.boolean('dashboard', true),
  };
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return resolved;
}
