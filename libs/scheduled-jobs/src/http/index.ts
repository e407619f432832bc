export { JobsHttpModule } from './jobs-http.module.js';
export type { JobsHttpOptions } from './jobs-http-options.js';
export { JOBS_PERMISSION, JobsPermission, type JobsPermissionName } from './security/jobs-permission.js';
export type { HttpProblemCode, Problem } from './answers/problem.js';
export type { ScheduleAnswer, ScheduleDetailAnswer } from './views/schedule-view.js';
export type { SessionAnswer } from './reads/session.controller.js';
export type { JobAnswer, JobDetailAnswer, JobListAnswer, JobOptionsAnswer } from './views/job-view.js';
export type { JobPeriodsAnswer } from './reads/jobs.controller.js';
export type { OverviewAnswer } from './reads/overview.controller.js';
export type { NewestPeriods, SchedulePeriods } from './views/period-view.js';
export type { GridAnswer } from './reads/periods.controller.js';
export type { ExecutionListAnswer } from './reads/executions.controller.js';
export type { AnswerWindow } from './reads/execution-list.dto.js';
export type { Attention, AttentionKind } from '../core/browse/attention.js';
export type { Change } from '../core/browse/changes.js';
export type { PeriodCell, PeriodState } from '../core/browse/period-cells.js';
export type { Timeline, TimelineFact } from '../core/browse/timeline.js';
export type { CappedCount } from '../core/ports/capped-count.js';
export type {
  AttemptDetail,
  Explanation,
  ItemFailure,
  LogEntry,
  Standing,
  StepDetail,
} from '../core/ports/ledger-reader.js';
export type { DeadLetterGroup, DeadLetterGroups } from '../core/ports/dead-letter-reader.js';
export type { JobStatistics, Percentiles, StatisticsBucket } from '../core/ports/statistics-reader.js';
