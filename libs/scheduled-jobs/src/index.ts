export {
  parseSchedule,
  type Interval,
  type Occurrence,
  type OccurrenceRange,
  type Schedule,
} from './core/calendar/schedule.js';
export type { DstPolicy, PeriodForm, PeriodUnit, ScheduleDefinition } from './core/calendar/schedule-definition.js';
export type { Duration } from './core/duration.js';
export {
  AttemptTimeoutError,
  BackfillNotFoundError,
  DuplicateExecutionError,
  DuplicateJobError,
  ExecutionCanceledError,
  ExecutionNotFoundError,
  InvalidOptionsError,
  InvalidPayloadError,
  InvalidQueryError,
  InvalidRequestError,
  InvalidScheduleError,
  ItemsFailedError,
  JobPausedError,
  JobsError,
  LeaseLostError,
  NamedLeaseLostError,
  OverlapError,
  PermanentError,
  RetryLaterError,
  SchemaVersionError,
  ShutdownError,
  StoreUnavailableError,
  TransactionIdleError,
  UnknownJobError,
  type JobsErrorCode,
} from './core/errors.js';
export { StepResultError } from './core/step-errors.js';
export {
  ExecutionEndedError,
  ExecutionHeldError,
  ExecutionNotFailedError,
  ExecutionNotReplayableError,
} from './core/operation-errors.js';
export type { Alert, AlertDetails, AlertKind, AlertOf } from './core/alert/alert.js';
export type { EngineEvent, EventSink } from './core/events/engine-event.js';
export type { AuditAction } from './core/execution/audit-action.js';
export type { Counts } from './core/execution/counts.js';
export type { AttemptOutcome, ExecutionState, FinalState, Trigger } from './core/execution/execution-state.js';
export type { ErrorKind } from './core/execution/judgement.js';
export type { Jitter } from './core/execution/retry-policy.js';
export type { ScheduleCompleteness } from './core/schedule/completeness.js';
export type { DuplicateBehaviour } from './core/job/duplicates.js';
export type { OverlapPolicy, PayloadClass } from './core/job/job-definition.js';
export type {
  BackgroundJobOptions,
  CatchUpOptions,
  ExponentialBackoff,
  JobAlertOptions,
  JobOverrides,
  RetentionOptions,
  RetryOptions,
  ScheduledJobOptions,
  SharedJobOptions,
} from './core/job/job-options.js';
export type { Completeness, UncheckedSchedule } from './core/schedule/ledger-completeness.js';
export type { RunLog, RunProgress } from './core/job/job-run.js';
export type { ItemKey } from './core/job/run-items.js';
export type { StepContext } from './core/job/run-steps.js';
export {
  simulate,
  type Outage,
  type SimulatedExecution,
  type SimulatedJob,
  type Simulation,
  type SimulationRange,
} from './core/schedule/simulate.js';
export type { AuditEntry, AuditQuery } from './core/ports/audit-log.js';
export type {
  Backfill,
  BackfillOrder,
  BackfillQuery,
  BackfillState,
  CanceledBackfill,
} from './core/ports/backfill-store.js';
export type {
  DeadLetterQuery,
  ExecutionDetail,
  ExecutionQuery,
  ExecutionSummary,
  Page,
  RecordedError,
} from './core/ports/ledger-reader.js';
export type { AcknowledgeFilter } from './core/ports/operation-store.js';
export type { ReplayableState, ReplayedExecution, ReplayFilter, ReplayGroup } from './core/ports/replay-store.js';
export type { SkippedRange, TickSummary } from './core/ports/schedule-store.js';
export type { Instance, InstanceFacts, InstanceRole } from './core/ports/instance-store.js';
export type { PauseResult } from './core/ports/suspension-store.js';
export type { BreakerOptions, QueueOptions, Rate } from './core/queue/queue-limits.js';
export type { LeaseResult } from './engine/named-leases.js';
export type { Acknowledgement, CanceledExecution } from './engine/operations.js';
export type { AlertsOptions, DeadLetterRatioOptions, WebhookOptions } from './nest/options/alert-options.js';
export { BackgroundJob } from './nest/jobs/background-job.decorator.js';
export type {
  AcknowledgeManyOptions,
  AcknowledgeManyPreview,
  AcknowledgeManyResult,
} from './nest/client/acknowledge-request.js';
export type { BackfillOptions, BackfillPreview, BackfillResult } from './nest/client/backfill-request.js';
export type { CompletenessOptions } from './nest/client/completeness-check.js';
export { currentRun } from './nest/jobs/current-run.js';
export type {
  EnqueuedExecution,
  EnqueueItem,
  EnqueueManyResult,
  EnqueueOptions,
  EnqueueResult,
  TriggerOptions,
} from './nest/client/enqueue-options.js';
export { EngineEvents } from './nest/services/engine-events.js';
export { JobHandlerDecorator, type JobHandler } from './nest/jobs/job-handler-decorator.js';
export type { JobRun } from './nest/jobs/job-run.js';
export { JobsClient } from './nest/client/jobs-client.js';
export { Leases, type LeaseOptions, type NamedLease } from './nest/client/leases.js';
export type { ScheduledJobsOptions, WorkerOptions } from './nest/options/module-options.js';
export type { NamedOperatorOptions, OperatorOptions } from './nest/client/operator-options.js';
export type {
  ReplayManyOptions,
  ReplayManyPreview,
  ReplayManyResult,
  ReplayOptions,
} from './nest/client/replay-request.js';
export type { ResumeOptions } from './nest/client/resume-request.js';
export type { QueueView } from './nest/client/queues.js';
export { runTick, type TickReport } from './nest/run-tick.js';
export { runWorker } from './nest/run-worker.js';
export { ScheduledJob, type JobMethodDecorator } from './nest/jobs/scheduled-job.decorator.js';
export { ScheduledJobsModule, type ScheduledJobsStructure } from './nest/scheduled-jobs.module.js';
export { Scheduler } from './nest/services/scheduler.js';
export { Worker } from './nest/services/worker.js';
export { ledgerEntities } from './postgres/entities/ledger-entities.js';
export { migrate, type MigrationReport } from './postgres/migrate.js';
