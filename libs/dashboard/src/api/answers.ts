// What the API answers, derived from the library's own types, so that the two cannot drift apart.
import type {
  AttemptOutcome,
  AuditEntry,
  ErrorKind,
  ExecutionDetail as Detail,
  ExecutionState,
  ExecutionSummary as Summary,
  Instance as StoredInstance,
  QueueView,
  ReplayManyPreview,
  ReplayManyResult,
} from 'nestjs-scheduled-jobs';
import type {
  GridAnswer,
  JobAnswer,
  JobDetailAnswer,
  JobListAnswer,
  JobPeriodsAnswer,
  JobStatistics,
  OverviewAnswer,
  ScheduleAnswer,
  ScheduleDetailAnswer,
} from 'nestjs-scheduled-jobs/http';

/** A value as JSON carries it: instants are texts of RFC 3339. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Element)[]
    ? readonly Wire<Element>[]
    : T extends object
      ? { readonly [Member in keyof T]: Wire<T[Member]> }
      : T;

export type { AttemptOutcome, ExecutionState };

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type ExecutionSummary = Wire<Summary>;
export type ExecutionDetail = Wire<Detail> & {
  /** How people help themselves: a text or an address. */
  readonly runbook?: string | null;
};
/** One call of the handler. */
export interface Attempt {
  readonly leaseToken: string;
  readonly attempt: number;
  readonly workerId: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly error: { readonly errorClass: string | null; readonly message: string | null } | null;
  readonly errorKind: ErrorKind | null;
}

export type Job = Wire<JobAnswer>;
export type JobList = Wire<JobListAnswer>;
export type JobDetail = Wire<JobDetailAnswer>;
export type Statistics = Wire<JobStatistics>;
export type Schedule = Wire<ScheduleAnswer>;
export type ScheduleDetail = Wire<ScheduleDetailAnswer>;
/** How all stands. */
export type Overview = Wire<OverviewAnswer>;
export type Attention = Overview['attention'][number];
/** The newest periods of scheduled jobs. */
export type PeriodGrid = Wire<GridAnswer>;
export type GridRow = PeriodGrid['items'][number];
export type JobPeriods = Wire<JobPeriodsAnswer>;
export type PeriodCell = GridRow['items'][number];
export type PeriodState = PeriodCell['state'];
export type Queue = Wire<QueueView>;
export type Instance = Wire<StoredInstance>;
export type Audit = Wire<AuditEntry>;
export type ReplayPreview = Wire<ReplayManyPreview>;
export type ReplayedPage = Wire<ReplayManyResult>;

/** Dead letters with the same kind of error. */
export interface DeadLetterGroup {
  /** Null = they have none: those that a deadline or a lost worker ended. */
  readonly fingerprint: string | null;
  readonly errorClass: string | null;
  readonly errorCode: string | null;
  readonly message: string | null;
  readonly count: number;
  readonly jobs: readonly string[];
  readonly firstAt: string;
  readonly lastAt: string;
  readonly exampleKey: string;
}

/** One fact of what happened to an execution. */
export interface TimelineFact {
  readonly at: string;
  readonly kind: string;
  readonly text: string;
}
