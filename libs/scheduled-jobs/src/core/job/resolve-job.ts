import type { CatchUpPolicy } from '../calendar/catch-up.js';
import { parseSchedule } from '../calendar/schedule.js';
import type { ScheduleDefinition } from '../calendar/schedule-definition.js';
import { definedOnly } from '../defined-only.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseDuration, SECOND_MS } from '../duration.js';
import { InvalidScheduleError } from '../errors.js';
import { JITTERS, type Backoff, type RetryPolicy } from '../execution/retry-policy.js';
import { declaredName, type DeclaredJob } from './declared-job.js';
import { DUPLICATE_BEHAVIOURS } from './duplicates.js';
import { JOB_NAME } from './execution-key.js';
import { INSTANT_HINT, readInstant } from './instant-option.js';
import { OVERLAP_POLICIES, type JobDefinition, type JobSchedule, type PayloadClass } from './job-definition.js';
import {
  BACKGROUND_OPTIONS,
  ONLY_BACKGROUND,
  ONLY_SCHEDULED,
  REPLACED_OPTIONS,
  SCHEDULE_OPTIONS,
  SHARED_OPTIONS,
} from './job-option-names.js';
import { OptionReader, shown } from './option-reader.js';
import { resolveAlert } from './resolve-alert.js';
import { resolveAliases } from './resolve-aliases.js';
import { resolveRetention } from './resolve-retention.js';

/** What the module says for all jobs. */
export interface JobDefaults {
  readonly timeZone: string | null;
  /** Options by job name that win over the decorator's. */
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** Defaults of every option of a job; durations in milliseconds. */
const JOB_DEFAULTS = {
  queue: 'default',
  priority: 0,
  concurrency: 1,
  maxAttempts: 4,
  backoffMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
  backoffFactor: 2,
  backoffMaxMs: HOUR_MS,
  jitter: 'equal',
  deadlineMs: DAY_MS,
  retryAfterMaxMs: HOUR_MS,
  timeoutMs: HOUR_MS,
  abortGraceMs: 30 * SECOND_MS,
  leaseMs: 30 * SECOND_MS,
  blockedLoopLimitMs: 5 * MINUTE_MS,
  catchUp: { policy: 'all', windowMs: DAY_MS, limit: 1_000, graceMs: MINUTE_MS, maxPerMinute: null },
} as const;

const LEASE = { min: SECOND_MS, max: 10 * MINUTE_MS } as const;
/** Options with options of their own that an override need not repeat. */
const MERGED_OPTIONS = ['retry', 'catchUp', 'alert'];
/** The run times of a paced catch-up are given by one tick. */
const MAX_PACED = 10_000;

/** Fills in defaults and checks one job; the definition is null when there are problems. */
export function resolveJob(
  declared: DeclaredJob,
  defaults: JobDefaults,
): { readonly definition: JobDefinition | null; readonly problems: readonly string[] } {
  const problems: string[] = [...(declared.problems ?? [])];
  const options = withOverrides(declared, defaults);
  const reader = new OptionReader(options, '', problems);
  const name = reader.text('name', '', JOB_NAME);
  if (reader.raw('name') === undefined) reader.refuse('name', `is required: ${JOB_NAME.hint}`);
  const scheduled = declared.kind === 'scheduled';
  reader.allowOnly([...SHARED_OPTIONS, ...(scheduled ? SCHEDULE_OPTIONS : BACKGROUND_OPTIONS)], {
    ...REPLACED_OPTIONS,
    ...(scheduled ? ONLY_BACKGROUND : ONLY_SCHEDULED),
  });
  const leaseMs = reader.durationMs('lease', JOB_DEFAULTS.leaseMs, LEASE);
  const catchUp = scheduled ? resolveCatchUp(reader.nested('catchUp')) : null;
  const definition: JobDefinition = {
    name,
    place: declared.place,
    aliases: resolveAliases(name, reader),
    schedule: catchUp === null ? null : resolveSchedule(declared.cron, reader, { ...defaults, catchUp }),
    queue: reader.text('queue', JOB_DEFAULTS.queue, JOB_NAME),
    priority: reader.integer('priority', JOB_DEFAULTS.priority, { min: -1_000, max: 1_000 }),
    overlap: reader.oneOf('overlap', defaultOverlap(scheduled, reader), OVERLAP_POLICIES),
    concurrency: reader.integer('concurrency', JOB_DEFAULTS.concurrency, { min: 1, max: 1_000 }),
    concurrencyKey: reader.function('concurrencyKey'),
    retry: resolveRetry(reader.nested('retry')),
    classify: reader.function('classify'),
    timeoutMs: reader.durationMs('timeout', JOB_DEFAULTS.timeoutMs, { min: 1, max: 30 * DAY_MS }),
    abortGraceMs: reader.durationMs('abortGrace', JOB_DEFAULTS.abortGraceMs, { max: HOUR_MS }),
    leaseMs,
    heartbeatMs: reader.durationMs('heartbeat', leaseMs / 3, { min: 100, max: Math.floor(leaseMs / 3) }),
    blockedLoopLimitMs: reader.durationMs('blockedLoopLimit', JOB_DEFAULTS.blockedLoopLimitMs, { max: HOUR_MS }),
    transactional: reader.boolean('transactional', false),
    disabled: reader.boolean('disabled', false),
    retentionMs: resolveRetention(reader, catchUp?.windowMs ?? 0),
    alert: resolveAlert(reader, scheduled),
    payload: reader.function<PayloadClass>('payload', 'a class'),
    key: reader.function('key'),
    duplicates: reader.oneOf('duplicates', 'return-existing', DUPLICATE_BEHAVIOURS),
  };
  return { definition: problems.length === 0 ? definition : null, problems };
}

function withOverrides(declared: DeclaredJob, { overrides }: JobDefaults): unknown {
  const { options } = declared;
  const name = declaredName(declared);
  const override = name !== null && Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  if (override === undefined || override === null) return options;
  return { ...merged(options as object, override, MERGED_OPTIONS), name };
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The options with those that the override says; the named ones are merged in the same way, one level deep. */
function merged(options: object, override: object, deep: readonly string[] = []): object {
  const own = options as Readonly<Record<string, unknown>>;
  const entries = Object.entries(definedOnly(override));
  const given = entries.map(([name, value]: [string, unknown]) =>
    deep.includes(name) && isPlain(value) && isPlain(own[name]) ? [name, merged(own[name], value)] : [name, value],
  );
  return { ...options, ...(Object.fromEntries(given) as object) };
}

const defaultOverlap = (scheduled: boolean, reader: OptionReader) =>
  scheduled || reader.raw('concurrencyKey') !== undefined || reader.raw('concurrency') !== undefined
    ? 'queue'
    : 'allow';

function resolveSchedule(
  cron: unknown,
  reader: OptionReader,
  defaults: JobDefaults & { readonly catchUp: CatchUpPolicy },
): JobSchedule | null {
  const { catchUp } = defaults;
  const startAt = resolveStartAt(reader);
  const expression = reader.raw('cron') ?? cron;
  const timeZone = reader.raw('timeZone') ?? defaults.timeZone;
  if (typeof expression !== 'string' || expression.trim() === '') {
    reader.refuse('cron', `must be a cron expression such as "0 6 * * *", got ${shown(expression)}`);
  }
  if (typeof timeZone !== 'string') {
    reader.refuse('timeZone', 'is required, for the job or for the module: an IANA name such as "Europe/Berlin"');
  }
  if (typeof expression !== 'string' || expression.trim() === '' || typeof timeZone !== 'string') return null;
  // parseSchedule checks them.
  const definition = definedOnly({
    timeZone,
    period: reader.raw('period'),
    periodOf: reader.raw('periodOf'),
    dst: reader.raw('dst'),
    exclude: reader.raw('exclude'),
  }) as ScheduleDefinition;
  try {
    return { expression, definition, schedule: parseSchedule(expression, definition), catchUp, startAt };
  } catch (error) {
    if (!(error instanceof InvalidScheduleError)) throw error;
    for (const problem of error.problems) reader.refuse('', problem);
    return null;
  }
}

function resolveStartAt(reader: OptionReader): Date | null {
  const value = reader.raw('startAt');
  if (value === undefined) return null;
  const at = readInstant(value);
  if (at === null) reader.refuse('startAt', `must be ${INSTANT_HINT}, got ${shown(value)}`);
  return at;
}

function resolveCatchUp(reader: OptionReader): CatchUpPolicy {
  const { catchUp } = JOB_DEFAULTS;
  reader.allowOnly(['policy', 'window', 'limit', 'grace', 'maxPerMinute']);
  const limit = reader.integer('limit', catchUp.limit, { min: 1, max: 100_000 });
  const maxPerMinute = reader.integer('maxPerMinute', catchUp.maxPerMinute, { min: 1, max: 60_000 });
  if (maxPerMinute !== null && limit > MAX_PACED) {
    reader.refuse('limit', `must be at most ${MAX_PACED} together with maxPerMinute, got ${limit}`);
  }
  return {
    policy: reader.oneOf('policy', catchUp.policy, ['none', 'latest', 'all']),
    windowMs: reader.durationMs('window', catchUp.windowMs),
    limit,
    graceMs: reader.durationMs('grace', catchUp.graceMs),
    maxPerMinute,
  };
}

function resolveRetry(reader: OptionReader): RetryPolicy {
  reader.allowOnly(['maxAttempts', 'backoff', 'jitter', 'deadline', 'retryAfterMax']);
  return {
    maxAttempts: reader.integer('maxAttempts', JOB_DEFAULTS.maxAttempts, { min: 1, max: 1_000 }),
    backoff: resolveBackoff(reader),
    jitter: reader.oneOf('jitter', JOB_DEFAULTS.jitter, JITTERS),
    deadlineMs: reader.durationMs('deadline', JOB_DEFAULTS.deadlineMs, { min: 1 }),
    retryAfterMaxMs: reader.durationMs('retryAfterMax', JOB_DEFAULTS.retryAfterMaxMs),
  };
}

function resolveBackoff(retry: OptionReader): Backoff {
  const value = retry.raw('backoff');
  if (value === undefined) return { kind: 'list', delaysMs: JOB_DEFAULTS.backoffMs };
  if (Array.isArray(value)) return resolveDelays(retry, value);
  if (typeof value !== 'object' || value === null) return refuseBackoff(retry, value);
  const reader = retry.nested('backoff');
  reader.allowOnly(['first', 'factor', 'max'], { jitter: 'is not an option here. Use "retry.jitter"' });
  if (reader.raw('first') === undefined) reader.refuse('first', 'is required, such as "1s"');
  const factor = reader.raw('factor') ?? JOB_DEFAULTS.backoffFactor;
  if (typeof factor !== 'number' || !(factor >= 1 && factor <= 10)) {
    reader.refuse('factor', `must be a number from 1 to 10, got ${shown(factor)}`);
  }
  return {
    kind: 'exponential',
    firstMs: reader.durationMs('first', 0),
    factor: factor as number,
    maxMs: reader.durationMs('max', JOB_DEFAULTS.backoffMaxMs),
  };
}

function refuseBackoff(retry: OptionReader, value: unknown): Backoff {
  retry.refuse('backoff', `must be a list such as ["1m", "5m"] or { first, factor, max }, got ${shown(value)}`);
  return { kind: 'list', delaysMs: JOB_DEFAULTS.backoffMs };
}

function resolveDelays(retry: OptionReader, value: readonly unknown[]): Backoff {
  const delaysMs = value.map(parseDuration);
  const usable = delaysMs.filter((delay) => delay !== null);
  if (usable.length !== value.length || value.length === 0 || value.length > 100) {
    retry.refuse('backoff', 'must list 1 to 100 durations such as ["1m", "5m", "15m"]');
  }
  return { kind: 'list', delaysMs: usable };
}
