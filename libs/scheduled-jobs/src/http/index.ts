export { JobsHttpModule } from './jobs-http.module.js';
export type { JobsHttpOptions } from './jobs-http-options.js';
export { JOBS_PERMISSION, JobsPermission, type JobsPermissionName } from './jobs-permission.js';
export type { HttpProblemCode, Problem } from './problem.js';
export type { ScheduleAnswer, ScheduleDetailAnswer } from './schedule-view.js';
export type { SessionAnswer } from './session.controller.js';
export type { JobAnswer, JobDetailAnswer, JobListAnswer, JobOptionsAnswer } from './job-view.js';
