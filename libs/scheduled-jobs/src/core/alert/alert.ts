/** What alerts are about. The first two tell of something that happened, the others of a level that is passed. */
export const ALERT_KINDS = ['failure', 'missed-period', 'dead-letter-ratio', 'backlog-age'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What an alert of each kind tells beside its subject. Instants are RFC 3339 texts in UTC. */
export interface AlertDetails {
  readonly failure: {
    readonly key: string;
    readonly period: string | null;
    readonly attempts: number;
    /** `deadline` when only that failed it. */
    readonly reason: string | null;
    readonly errorClass: string | null;
    readonly errorCode: string | null;
    /** The first line of the last attempt's error, redacted, at most 500 characters. */
    readonly errorMessage: string | null;
  };
  readonly 'missed-period': {
    /** Periods that were recorded but not started in time. */
    readonly late: number;
    /** The keys of the first ten of them. */
    readonly keys: readonly string[];
    /** Periods in skipped ranges `catch-up`, the whole of a range that grew. */
    readonly leftOut: number;
    /** The first period that should be on record by now and is not; null = the schedule keeps up. */
    readonly unrecordedSince: string | null;
    /** Why the schedule stands still, at most 500 characters. */
    readonly lastError: string | null;
    readonly startWithinMs: number;
  };
  readonly 'dead-letter-ratio': {
    /** Dead letters that ended in the window. */
    readonly failed: number;
    /** Executions that were due in the window, at least as many as failed. */
    readonly due: number;
    readonly above: number;
    readonly windowMs: number;
  };
  readonly 'backlog-age': {
    /** How long the oldest execution that could run had waited. */
    readonly ageMs: number;
    readonly aboveMs: number;
  };
}

/** One alert of one kind. */
export interface AlertOf<Kind extends AlertKind> {
  readonly alertId: string;
  readonly kind: Kind;
  /** The job; of `backlog-age` the queue. */
  readonly subject: string;
  /** The failed execution, or the first of those that were not started in time. */
  readonly executionId: string | null;
  readonly openedAt: Date;
  /** When the level was below its limit again; null = it is not. What has happened is closed as soon as it is told. */
  readonly closedAt: Date | null;
  /** The job's `runbook`: text or URL. */
  readonly runbook: string | null;
  readonly detail: AlertDetails[Kind];
}

/** A fact that somebody should know of, raised once however many instances see it. */
export type Alert = { readonly [Kind in AlertKind]: AlertOf<Kind> }[AlertKind];

/** What is watched; a level closes when it is at most four fifths of its limit. */
export type AlertRule =
  | { readonly kind: 'failure' }
  | { readonly kind: 'missed-period' }
  | {
      readonly kind: 'dead-letter-ratio';
      /** 0 … 1. */
      readonly above: number;
      readonly windowMs: number;
      /** Fewer due executions than that raise nothing. */
      readonly minimum: number;
    }
  | { readonly kind: 'backlog-age'; readonly aboveMs: number };
