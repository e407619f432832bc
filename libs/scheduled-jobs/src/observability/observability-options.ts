import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Duration } from '../core/duration.js';
import { InvalidOptionsError } from '../core/errors.js';
import { OptionReader, shown } from '../core/job/option-reader.js';
import { readAccess, readRoutePath, type ResolvedAccess } from '../nest/options/access-options.js';

/** As much of a registry of `prom-client` as is asked of it here. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
  removeSingleMetric(name: string): void;
}

/** How metrics are kept. */
export interface MetricsOptions {
  /** A registry of `prom-client` that the application has, such as its `register`. Default one of its own. */
  readonly registry?: MetricsRegistry;
  /** How long what was read from the database is shown, `1s` … `10m`. Default `15s`. */
  readonly cacheFor?: Duration;
}

/** Limits above which a process is `degraded`. It is ready all the same. */
export interface HealthOptions {
  /** How long the oldest ready execution of a queue may have waited. Default `15m`. */
  readonly backlogAge?: Duration;
  /** How long an occurrence may be due without a tick. Default `2m`. */
  readonly tickDelay?: Duration;
}

/** Routes of the application's own HTTP server, below its global prefix, the same under any versioning. */
export interface ObservabilityRoutes {
  /** `<probes>/live`, `<probes>/startup` and `<probes>/ready`, for everybody. Default `health`. */
  readonly probes?: string;
  /** Where metrics are served. Default `metrics`. */
  readonly metrics?: string;
  /** Guards of the metrics, as classes or instances; all must agree. Without them and `access` they answer 403. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** `host`: what stands before the application protects the metrics. */
  readonly access?: 'host';
  /** Modules whose exports the guards need. */
  readonly imports?: ModuleMetadata['imports'];
}

/** An HTTP server of its own, for a process that has none: `/health/live`, `/health/startup`, `/health/ready`. */
export interface ObservabilityListener {
  /** 0 = any free one. */
  readonly port: number;
  /** Who may connect: `0.0.0.0` lets other machines in. Default `127.0.0.1`. */
  readonly host?: string;
  /** Serve `/metrics` as well, to whoever may connect. Default false. */
  readonly metrics?: boolean;
}

/** What is part of the module's structure, so that no factory can give it. */
export interface ObservabilityStructure {
  /** Probes, and metrics where there are any, below the application's own HTTP server. Default false. */
  readonly routes?: boolean | ObservabilityRoutes;
}

/** What the factory of `JobsObservabilityModule.forRootAsync` gives; what is left out is not there. */
export interface ObservabilityParts {
  /** Prometheus metrics by `prom-client`. Default false. */
  readonly metrics?: boolean | MetricsOptions;
  /** Spans by `@opentelemetry/api`, which does nothing before the application registers a provider. Default false. */
  readonly tracing?: boolean;
  readonly health?: HealthOptions;
  readonly listen?: ObservabilityListener;
}

/** What `JobsObservabilityModule.forRoot` takes; what is left out is not there. */
export interface JobsObservabilityOptions extends ObservabilityParts, ObservabilityStructure {}

/** The options with defaults filled in, but for the routes; durations in milliseconds; null = it is not there. */
export interface ResolvedObservability {
  readonly metrics: { readonly registry: MetricsRegistry | null } | null;
  readonly cacheMs: number;
  readonly tracing: boolean;
  readonly health: { readonly backlogAgeMs: number; readonly tickDelayMs: number };
  readonly listen: Required<ObservabilityListener> | null;
}

/** Access is that to the metrics. */
export interface ResolvedRoutes extends ResolvedAccess {
  readonly probes: string;
  readonly metrics: string;
}

/** The injection token of the resolved options. */
export const OBSERVABILITY_OPTIONS = Symbol.for('nestjs-scheduled-jobs/observability-options');

const OWNER = 'JobsObservabilityModule';
const CACHE_MS = 15 * SECOND_MS;
const HOST = { pattern: /^[A-Za-z0-9.:_-]{1,255}$/, hint: 'a host name or an address such as "0.0.0.0"' };

const PARTS = ['metrics', 'tracing', 'health', 'listen'] as const;

/**
 * Fills in defaults and checks the options of `forRoot`.
 * @throws InvalidOptionsError that lists every problem.
 */
export function resolveObservability(
  options: JobsObservabilityOptions,
): ResolvedObservability & { readonly routes: ResolvedRoutes | null } {
  const problems: string[] = [];
  const reader = new OptionReader(options, OWNER, problems);
  reader.allowOnly([...PARTS, 'routes']);
  const resolved = { ...readParts(reader), routes: readRoutes(reader) };
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return resolved;
}

/**
 * The same for what a factory gave.
 * @throws InvalidOptionsError that lists every problem.
 */
export function resolveParts(parts: unknown): ResolvedObservability {
  const problems: string[] = [];
  const reader = new OptionReader(parts, OWNER, problems);
  reader.allowOnly(PARTS, { routes: 'belongs beside "useFactory", not into what the factory returns' });
  const resolved = readParts(reader);
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return resolved;
}

/**
 * The same for what stands beside a factory.
 * @throws InvalidOptionsError that lists every problem.
 */
export function resolveStructure({ routes }: ObservabilityStructure): ResolvedRoutes | null {
  const problems: string[] = [];
  const resolved = readRoutes(new OptionReader({ routes }, OWNER, problems));
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return resolved;
}

function readParts(reader: OptionReader): ResolvedObservability {
  const resolved = {
    ...readMetrics(reader),
    tracing: reader.boolean('tracing', false),
    health: readHealth(reader),
    listen: readListener(reader),
  };
  if (resolved.listen?.metrics === true && resolved.metrics === null) {
    reader.refuse('listen.metrics', 'serves nothing: there are no metrics. Set "metrics" as well');
  }
  return resolved;
}

function readMetrics(options: OptionReader): Pick<ResolvedObservability, 'metrics' | 'cacheMs'> {
  const reader = part(options, 'metrics', ['registry', 'cacheFor']);
  if (reader === null) return { metrics: null, cacheMs: CACHE_MS };
  const registry = reader.raw('registry') as MetricsRegistry | undefined;
  if (registry !== undefined && typeof (registry as Partial<MetricsRegistry> | null)?.metrics !== 'function') {
    reader.refuse('registry', `must be a Registry of prom-client, got ${shown(registry)}`);
  }
  const cacheMs = reader.durationMs('cacheFor', CACHE_MS, { min: SECOND_MS, max: 10 * MINUTE_MS });
  return { metrics: { registry: registry ?? null }, cacheMs };
}

function readHealth(options: OptionReader): ResolvedObservability['health'] {
  const reader = options.nested('health');
  reader.allowOnly(['backlogAge', 'tickDelay']);
  return {
    backlogAgeMs: reader.durationMs('backlogAge', 15 * MINUTE_MS, { min: SECOND_MS, max: 30 * DAY_MS }),
    tickDelayMs: reader.durationMs('tickDelay', 2 * MINUTE_MS, { min: SECOND_MS, max: 24 * HOUR_MS }),
  };
}

function readRoutes(options: OptionReader): ResolvedRoutes | null {
  const reader = part(options, 'routes', ['probes', 'metrics', 'guards', 'access', 'imports']);
  if (reader === null) return null;
  return {
    ...readAccess(reader),
    probes: readRoutePath(reader, 'probes', { fallback: 'health', example: 'ops/health' }),
    metrics: readRoutePath(reader, 'metrics', { fallback: 'metrics', example: 'ops/health' }),
  };
}

function readListener(options: OptionReader): ResolvedObservability['listen'] {
  if (options.raw('listen') === undefined) return null;
  const reader = options.nested('listen');
  reader.allowOnly(['port', 'host', 'metrics']);
  if (reader.raw('port') === undefined) reader.refuse('port', 'is missing');
  return {
    port: reader.integer('port', 0, { min: 0, max: 65_535 }),
    host: reader.text('host', '127.0.0.1', HOST),
    metrics: reader.boolean('metrics', false),
  };
}

/** A part that may be switched on by `true` alone; null = it is off. */
function part(options: OptionReader, name: string, members: readonly string[]): OptionReader | null {
  const value = options.raw(name);
  if (value === undefined || value === false) return null;
  const reader = value === true ? new OptionReader({}, name, []) : options.nested(name);
  reader.allowOnly(members);
  return reader;
}
