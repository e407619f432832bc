import type { Duration } from '../duration.js';

/** So many starts in a span of time, such as `50/s`, `100/m` or `1000/h`. */
export type Rate = `${number}/${'s' | 'm' | 'h' | 'd'}`;

/** When a queue stops because the service behind it fails, and how it starts again. */
export interface BreakerOptions {
  /** The share of failed calls that opens it, above 0 and at most 1. Default 0.5. */
  readonly failureRatio?: number;
  /** It does not open before so many calls within the window, 1 … 10,000. Default 10. */
  readonly minimum?: number;
  /** How far back calls count, `1s` … `1d`. Default `1m`. */
  readonly window?: Duration;
  /** For how long nothing starts once it has opened, `1s` … `1d`. Each failed probe doubles it. Default `30s`. */
  readonly openFor?: Duration;
  /** The longest that `openFor` grows to, at most `1d`. Default `10m`, or `openFor` where that is longer. */
  readonly maxOpenFor?: Duration;
  /** So many executions run before it closes; all must succeed. 1 … 100, default 1. */
  readonly probes?: number;
}

/** The limits of one queue, for all workers together. */
export interface QueueOptions {
  /** Executions that run at the same time, 1 … 10,000. Default no limit. */
  readonly concurrency?: number;
  /** How many executions may start in a span of time. Default no limit. */
  readonly rate?: Rate;
  /**
   * How many may start at once after a quiet time, 1 … 100,000: in any span of time no more start than `burst` and what
   * `rate` gives in it. Default what the rate gives in 100 ms, at least 1.
   */
  readonly burst?: number;
  /** Stops the queue while the service behind it fails. Default none. `true` = with the defaults. */
  readonly breaker?: boolean | BreakerOptions;
}

/** Settings of a circuit breaker; durations in milliseconds. */
export interface BreakerSettings {
  readonly failureRatio: number;
  readonly minimum: number;
  readonly windowMs: number;
  readonly openForMs: number;
  readonly maxOpenForMs: number;
  readonly probes: number;
}

/** The limits of one queue as they are kept. Null = no limit of the kind. */
export interface QueueLimits {
  readonly name: string;
  readonly concurrency: number | null;
  /** So many starts within `rateMs`. */
  readonly rate: number | null;
  readonly rateMs: number | null;
  readonly burst: number | null;
  readonly breaker: BreakerSettings | null;
}
