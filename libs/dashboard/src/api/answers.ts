// What the API answers, derived from the library's own types, so that the two cannot drift apart.
import type {
  AcknowledgeManyResult,
  AttemptOutcome,
  AuditEntry,
  Backfill as StoredBackfill,
  BackfillPreview as FoundPeriods,
  BackfillResult as MadeBackfill,
  CanceledBackfill as StoppedBackfill,
  CanceledExecution,
  EnqueueResult,
  ExecutionDetail as Detail,
  ExecutionState,
  ExecutionSummary as Summary,
  Instance as StoredInstance,
  Page,
  QueueView,
  ReplayManyPreview,
  ReplayManyResult,
} from 'nestjs-scheduled-jobs';
import type {
  AttemptDetail,
  Change,
  DeadLetterGroups as Groups,
  ExecutionListAnswer,
  Explanation as Reason,
  GridAnswer,
  ItemFailure,
  JobAnswer,
  JobDetailAnswer,
  JobListAnswer,
  JobPeriodsAnswer,
  JobStatistics,
  LogEntry,
  OverviewAnswer,
  ScheduleAnswer,
  ScheduleDetailAnswer,
  SessionAnswer,
  StepDetail,
  Timeline as Facts,
} from 'nestjs-scheduled-jobs/http';

/** A value as JSON carries it: instants are texts of RFC 3339. */
type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Element)[]
    ? readonly Wire<Element>[]
    : T extends object
      ? { readonly [Member in keyof T]: Wire<T[Member]> }
      : T;

export type { AttemptOutcome, ExecutionState, Page };

export type ExecutionSummary = Wire<Summary>;
export type ExecutionList = Wire<ExecutionListAnswer>;
export type ExecutionDetail = Wire<Detail>;
export type Attempt = Wire<AttemptDetail>;
export type Step = Wire<StepDetail>;
export type LogLine = Wire<LogEntry>;
export type FailedItem = Wire<ItemFailure>;
export type Timeline = Wire<Facts>;
/** Why an execution waits, what it does or how it ended. */
export type Explanation = Wire<Reason>;

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
export type Backfill = Wire<StoredBackfill>;
export type Triggered = Wire<EnqueueResult>;
export type Canceled = Wire<CanceledExecution>;
export type BackfillPreview = Wire<FoundPeriods>;
export type BackfillResult = Wire<MadeBackfill>;
export type CanceledBackfill = Wire<StoppedBackfill>;
export type ReplayPreview = Wire<ReplayManyPreview>;
export type ReplayedPage = Wire<ReplayManyResult>;
export type AcknowledgedPage = Wire<AcknowledgeManyResult>;

/** Dead letters by their kind of error. */
export type DeadLetterGroups = Wire<Groups>;
export type DeadLetterGroup = DeadLetterGroups['items'][number];
/** Who looks, and what they may do. */
export type Session = SessionAnswer;
/** Something has changed: these executions, or what belongs to a topic. */
export type ChangeHint = Partial<Extract<Change, { executions: unknown }> & Extract<Change, { topic: unknown }>>;
