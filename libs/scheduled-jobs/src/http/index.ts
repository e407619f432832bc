export { JobsHttpModule } from './jobs-http.module.js';
export type { JobsHttpOptions } from './jobs-http-options.js';
export type { HttpProblemCode, Problem } from './problem.js';
export type { ScheduleAnswer, ScheduleDetailAnswer } from './schedule-view.js';
