import { HOUR_MS, MINUTE_MS, type Duration } from '../../core/duration.js';
import { InvalidOptionsError } from '../../core/errors.js';
import { JOB_NAME } from '../../core/job/execution-key.js';
import type { JobOverrides } from '../../core/job/job-options.js';
import { OptionReader, shown } from '../../core/job/option-reader.js';
import type { QueueLimits, QueueOptions } from '../../core/queue/queue-limits.js';
import { resolveQueues } from '../../core/queue/resolve-queues.js';
import { WORKER_DEFAULTS } from '../../engine/worker-options.js';
import { resolveAlerts, type AlertsOptions, type ResolvedAlerts } from './alert-options.js';
import { DEFAULT_SCHEMA } from '../../postgres/ledger-names.js';

/** How this process claims and runs executions. */
export interface WorkerOptions {
  /** Executions that run at the same time, 1 … 1,000. Default 10. */
  readonly concurrency?: number;
  /** The queues to claim from. Default all that jobs of this application use. */
  readonly queues?: readonly string[];
  /** How often it looks for work when no hint arrives, `10ms` … `10m`. Default `5s`. */
  readonly pollInterval?: Duration;
  /** How long running handlers may go on after the shutdown began, at most `1h`. Default `25s`. */
  readonly shutdownTimeout?: Duration;
}

/** What `ScheduledJobsModule.forRoot` and the factory of `forRootAsync` take. */
export interface ScheduledJobsOptions {
  /** This process ticks: it turns due periods into executions. Default true. */
  readonly scheduler?: boolean;
  /**
   * This process claims and runs executions once it listens for HTTP. A process started by `runWorker` does so in any
   * case. Default false; `true` = with the defaults.
   */
  readonly worker?: boolean | WorkerOptions;
  /** The IANA zone of scheduled jobs that state none. Default none: such a job is refused. */
  readonly timeZone?: string;
  /** The PostgreSQL schema of the ledger: a lower-case identifier. Default `scheduled_jobs`. */
  readonly schema?: string;
  /** `check` refuses to start on a schema that does not fit; `run` migrates it first. Default `check`. */
  readonly migrations?: 'check' | 'run';
  /**
   * A connection URL for LISTEN, such as one that goes around PgBouncer; false = no LISTEN, polling only. Default the data
   * source's own connection options.
   */
  readonly listenUrl?: string | false;
  /**
   * A whole number that grows with each deploy, such as a build number: the definitions of the greatest one are in force at
   * once, also after a rollback. Default none: a definition never seen before is the newest, and one that was replaced comes
   * back when no instance with the newer one has been alive for two minutes.
   */
  readonly release?: number;
  /**
   * Limits by queue, for all workers together: how many executions run at the same time, how many start in a span of time, a
   * circuit breaker. The newest start that names a queue sets all its limits, none with `{}`; queues that it does not name
   * keep theirs.
   */
  readonly queues?: Readonly<Record<string, QueueOptions>>;
  /**
   * What this process raises alerts for, and how they are delivered; `{}` = with the defaults. Give it to all processes
   * alike: any of those that have it may be the one that looks. Default none.
   */
  readonly alerts?: AlertsOptions;
  /** Options by job name that come from configuration and win over the decorator's. */
  readonly jobs?: JobOverrides;
}

/** The options of the module with every default filled in; durations in milliseconds. */
export interface ResolvedModuleOptions {
  readonly scheduler: boolean;
  /** The HTTP application starts the worker by itself. */
  readonly worker: boolean;
  readonly concurrency: number;
  /** Null = all that jobs of this application use. */
  readonly queues: readonly string[] | null;
  readonly pollIntervalMs: number;
  readonly shutdownTimeoutMs: number;
  readonly timeZone: string | null;
  readonly schema: string;
  readonly migrations: 'check' | 'run';
  /** Null = the data source's own connection options; false = no LISTEN. */
  readonly listenUrl: string | false | null;
  readonly release: number | null;
  readonly queueLimits: readonly QueueLimits[];
  /** Null = this process raises none. */
  readonly alerts: ResolvedAlerts | null;
  readonly jobs: Readonly<Record<string, unknown>>;
}

const MODULE_DEFAULTS = {
  scheduler: true,
  schema: DEFAULT_SCHEMA,
  migrations: 'check',
} as const satisfies Partial<ResolvedModuleOptions>;

const NAMES = [
  'scheduler',
  'worker',
  'timeZone',
  'schema',
  'migrations',
  'listenUrl',
  'release',
  'queues',
  'alerts',
  'jobs',
] as const;
const WORKER_NAMES = ['concurrency', 'queues', 'pollInterval', 'shutdownTimeout'] as const;
const NOT_HERE: Readonly<Record<string, string>> = {
  dataSource: 'belongs beside "useFactory", not into what the factory returns',
};
const SCHEMA = {
  pattern: /^[a-z_][a-z0-9_]{0,50}$/,
  hint: '1–51 lower-case letters, digits or "_", not starting with a digit',
};

/**
 * Fills in defaults and checks the module's options.
 * @throws InvalidOptionsError that lists every problem.
 */
export function resolveModuleOptions(options: unknown): ResolvedModuleOptions {
  const problems: string[] = [];
  const reader = new OptionReader(options, 'ScheduledJobsModule', problems);
  reader.allowOnly(NAMES, NOT_HERE);
  const resolved: ResolvedModuleOptions = {
    scheduler: reader.boolean('scheduler', MODULE_DEFAULTS.scheduler),
    ...readWorker(reader),
    timeZone: readTimeZone(reader),
    schema: reader.text('schema', MODULE_DEFAULTS.schema, SCHEMA),
    migrations: reader.oneOf('migrations', MODULE_DEFAULTS.migrations, ['check', 'run']),
    listenUrl: readListenUrl(reader),
    release: reader.integer('release', null, { min: 0, max: Number.MAX_SAFE_INTEGER }),
    queueLimits: resolveQueues(reader.raw('queues'), 'ScheduledJobsModule.queues', problems),
    alerts: resolveAlerts(reader),
    jobs: readJobs(reader, problems),
  };
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return resolved;
}

function readWorker(
  module: OptionReader,
): Pick<ResolvedModuleOptions, 'worker' | 'concurrency' | 'queues' | 'pollIntervalMs' | 'shutdownTimeoutMs'> {
  const value = module.raw('worker');
  if (value === undefined || typeof value === 'boolean') return { worker: value ?? false, ...WORKER_DEFAULTS };
  const { concurrency, pollIntervalMs, shutdownTimeoutMs } = WORKER_DEFAULTS;
  const reader = module.nested('worker');
  reader.allowOnly(WORKER_NAMES);
  return {
    worker: true,
    concurrency: reader.integer('concurrency', concurrency, { min: 1, max: 1_000 }),
    queues: readQueues(reader),
    pollIntervalMs: reader.durationMs('pollInterval', pollIntervalMs, { min: 10, max: 10 * MINUTE_MS }),
    shutdownTimeoutMs: reader.durationMs('shutdownTimeout', shutdownTimeoutMs, { max: HOUR_MS }),
  };
}

function readQueues(worker: OptionReader): readonly string[] | null {
  const value = worker.raw('queues');
  if (value === undefined) return null;
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  if (names.length > 0 && names.every((name) => typeof name === 'string' && JOB_NAME.pattern.test(name))) {
    return [...new Set(names as readonly string[])];
  }
  worker.refuse('queues', `must list queue names (${JOB_NAME.hint}), got ${shown(value)}`);
  return null;
}

function readTimeZone(reader: OptionReader): string | null {
  const value = reader.raw('timeZone');
  if (value === undefined) return null;
  if (typeof value === 'string') return value;
  reader.refuse('timeZone', `must be an IANA name such as "Europe/Berlin", got ${shown(value)}`);
  return null;
}

function readListenUrl(reader: OptionReader): string | false | null {
  const value = reader.raw('listenUrl');
  if (value === undefined) return null;
  if (value === false || (typeof value === 'string' && /^postgres(ql)?:\/\//.test(value) && URL.canParse(value))) {
    return value;
  }
  // The value is not shown: a connection URL carries a password.
  reader.refuse('listenUrl', 'must be false or a URL that starts with "postgres://"');
  return null;
}

function readJobs(reader: OptionReader, problems: string[]): Readonly<Record<string, unknown>> {
  const value = reader.raw('jobs');
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    reader.refuse('jobs', `must be an object of options by job name, got ${shown(value)}`);
    return {};
  }
  for (const [name, override] of Object.entries(value)) {
    const usable = new OptionReader(override, `ScheduledJobsModule.jobs.${name}`, problems);
    for (const fixed of ['name', 'payload']) {
      if (usable.raw(fixed) !== undefined) usable.refuse(fixed, 'cannot be changed by configuration');
    }
  }
  return value as Readonly<Record<string, unknown>>;
}
