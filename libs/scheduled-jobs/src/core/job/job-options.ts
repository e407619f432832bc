import type { DstPolicy, PeriodForm } from '../calendar/schedule-definition.js';
import type { Duration } from '../duration.js';
import type { FinalState } from '../execution/execution-state.js';
import type { ErrorKind } from '../execution/judgement.js';
import type { Jitter } from '../execution/retry-policy.js';
import type { DuplicateBehaviour } from './duplicates.js';
import type { OverlapPolicy, PayloadClass } from './job-definition.js';

/** Waits between attempts that grow by a factor. */
export interface ExponentialBackoff {
  readonly first: Duration;
  /** 1 … 10. Default 2. */
  readonly factor?: number;
  /** Default `1h`. */
  readonly max?: Duration;
}

/** What happens after a failed attempt. */
export interface RetryOptions {
  /** Calls of the handler, 1 … 1,000; 1 = no retry. Default 4. */
  readonly maxAttempts?: number;
  /** The waits between attempts; the last of a list repeats. Default `1m, 5m, 15m`. */
  readonly backoff?: readonly Duration[] | ExponentialBackoff;
  /**
   * How much of a wait is left to chance, so that executions that failed together do not come back together: `none`, `equal`
   * = half of the wait up to all of it, `full` = anything up to all of it. Default `equal`.
   */
  readonly jitter?: Jitter;
  /** No attempt starts later than this after the execution could first run. Default `1d`. */
  readonly deadline?: Duration;
  /** The longest wait that a `RetryLaterError` or a `Retry-After` gets. Default `1h`. */
  readonly retryAfterMax?: Duration;
}

/** How long ended executions are kept: one time for all, or by state. */
export type RetentionOptions = Duration | Readonly<Partial<Record<FinalState, Duration>>>;

/** Options that scheduled and background jobs share. */
export interface SharedJobOptions<P extends object = object> {
  /**
   * The job's name, the first half of each key: letters, digits, `.`, `_`, `-`, at most 100, starting with a letter or
   * digit. Names that differ only in case are refused.
   */
  readonly name: string;
  /** Which queue its executions wait in. Default `default`. */
  readonly queue?: string;
  /** −1000 … 1000, smaller runs first. Default 0. */
  readonly priority?: number;
  /**
   * What an execution does when `concurrency` executions of its `concurrencyKey`, or without one of its job, have not ended;
   * one that waits for its next attempt has not ended either.
   *
   * - `queue`: it waits; the next one is chosen by priority, time and age.
   * - `queue-latest`: it waits until a newer one of the job comes, and is then recorded as skipped, `superseded`.
   * - `skip`: it is recorded as skipped, `overlap`, with the execution that was in its way. `trigger` throws `OverlapError`.
   * - `replace`: as `queue-latest`; the oldest of the job's that run is asked to stop, and the new one starts when it has.
   * - `allow`: executions run side by side.
   *
   * Backfilled and replayed executions wait as under `queue`, and are not replaced. Default: scheduled `queue`, background
   * `allow`, with `concurrencyKey` or `concurrency` `queue`.
   */
  readonly overlap?: OverlapPolicy;
  /**
   * The business conflict to avoid: executions of any job with an equal key share `concurrency` slots. 1–200 characters.
   */
  readonly concurrencyKey?: (payload: P) => string;
  /** Executions of one concurrency key, or without one of the job, at a time, 1 … 1,000. Default 1. */
  readonly concurrency?: number;
  readonly retry?: RetryOptions;
  /**
   * The job's own view of what its handler threw, a pure function: `transient` = another attempt may help, `throttled` =
   * it may help later and this call does not count, `permanent` = it cannot help, `undefined` = the defaults decide. A
   * `PermanentError` or `RetryLaterError` is not asked about. Default none.
   */
  readonly classify?: (error: unknown) => ErrorKind | undefined;
  /** Longest run of one attempt. Default `1h`. */
  readonly timeout?: Duration;
  /** How long a handler may take to stop once its signal fired. Default `30s`. */
  readonly abortGrace?: Duration;
  /** How long a worker may be silent before others take over, `1s` … `10m`. Default `30s`. */
  readonly lease?: Duration;
  /** How often the lease is renewed, at most a third of it. Default a third. */
  readonly heartbeat?: Duration;
  /**
   * How long the lease is renewed at a stretch while the event loop is blocked, at most `1h`; then the execution may run
   * again elsewhere. `0s` = not at all. Default `5m`.
   */
  readonly blockedLoopLimit?: Duration;
  /** The handler's database changes and the completion commit in one transaction, given as `run.manager`. Default false. */
  readonly transactional?: boolean;
  /**
   * Earlier names of the job, the oldest first, at most 10: it goes on where they stopped, runs their waiting executions,
   * and never repeats a period that was executed under one of them. Default none.
   */
  readonly aliases?: readonly string[];
  /**
   * How long ended executions are kept, `1m` at least and not shorter than `catchUp.window`; their keys are kept for ever.
   * Default `30d` for succeeded, skipped and canceled ones, `90d` for failed ones and those completed with errors.
   */
  readonly retention?: RetentionOptions;
  /** What to do when it fails: a text or URL of 1–1,000 characters that its alerts carry. Default none. */
  readonly runbook?: string;
  /** Nothing is inserted while true; the periods are recorded as left out. Default false. */
  readonly disabled?: boolean;
}

/** Which missed periods are still executed. */
export interface CatchUpOptions {
  /** `all`, only the `latest`, or `none`. Default `all`. */
  readonly policy?: 'none' | 'latest' | 'all';
  /** Periods older than this are left out. Default `1d`. */
  readonly window?: Duration;
  /** At most so many, the newest, 1 … 100,000. Default 1,000. */
  readonly limit?: number;
  /** A period at most this late is on time, whatever the policy. Default `1m`. */
  readonly grace?: Duration;
  /** Late periods start at most this fast, 1 … 60,000; `limit` is then at most 10,000. Default: at once. */
  readonly maxPerMinute?: number;
}

/** When a job misses its period. */
export interface JobAlertOptions {
  /** A period that is not started so long after its nominal time is missed, `1s` … `30d`. Default `15m`. */
  readonly startWithin?: Duration;
}

/** What `@ScheduledJob()` takes beside the cron expression. */
export interface ScheduledJobOptions extends SharedJobOptions<never> {
  /** An IANA zone. Default the module's `timeZone`; without either the application does not start. */
  readonly timeZone?: string;
  /** How a period is labelled. Default `auto`. */
  readonly period?: PeriodForm;
  /** Label by the start of the interval (`previous`) or by the occurrence. Default `current`. */
  readonly periodOf?: 'current' | 'previous';
  /** What happens to named times in a missing or repeated hour. Default `next-valid`, `first`. */
  readonly dst?: Partial<DstPolicy>;
  /** Where the first cursor stands, in the past or the future. Default the time of the first start. */
  readonly startAt?: Date | string;
  /** True = this occurrence is recorded as skipped. */
  readonly exclude?: (occurrence: { readonly scheduledFor: Date; readonly period: string }) => boolean;
  readonly catchUp?: CatchUpOptions;
  /** When its alerts are raised, where the module has `alerts`. */
  readonly alert?: JobAlertOptions;
}

/** What `@BackgroundJob()` takes. */
export interface BackgroundJobOptions<P extends object = object> extends SharedJobOptions<P> {
  /** The class whose class-validator rules a payload must satisfy. Default: any storable value. */
  readonly payload?: PayloadClass<P>;
  /** The idempotency key of a payload, 1–300 characters. Default: none, every enqueue is a new execution. */
  readonly key?: (payload: P) => string;
  /** What a second enqueue with the same key gives. Default `return-existing`. */
  readonly duplicates?: DuplicateBehaviour;
}

/** Options by job name that come from configuration and win over the decorator's. */
export type JobOverrides = Readonly<
  Record<
    string,
    Partial<Omit<ScheduledJobOptions & BackgroundJobOptions, 'name' | 'payload'>> & { readonly cron?: string }
  >
>;
