import { HttpException, NotFoundException } from '@nestjs/common';
import {
  ExecutionNotFoundError,
  InvalidQueryError,
  JobsError,
  OverlapError,
  StoreUnavailableError,
  UnknownJobError,
  type JobsErrorCode,
} from '../core/errors.js';

/** Codes of answers that are about HTTP itself. */
export type HttpProblemCode =
  | 'JOBS_FORBIDDEN'
  | 'JOBS_INTERNAL'
  | 'JOBS_REQUEST_REFUSED'
  | 'JOBS_ROUTE_NOT_FOUND'
  | 'JOBS_SCHEDULE_NOT_FOUND'
  | 'JOBS_UNAUTHENTICATED';

/** No job with a schedule has this name. */
export class ScheduleNotFoundException extends NotFoundException {
  constructor(name: string) {
    super(`There is no schedule "${name.slice(0, 100)}".`);
  }
}

/** An error answer as RFC 9457 describes it. Clients test `code`; `title` and `detail` are for people. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: JobsErrorCode | HttpProblemCode;
  /** One text per mistake, for a query with several. */
  readonly problems?: readonly string[];
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const CODES: Readonly<Record<number, HttpProblemCode>> = {
  401: 'JOBS_UNAUTHENTICATED',
  403: 'JOBS_FORBIDDEN',
  404: 'JOBS_ROUTE_NOT_FOUND',
};

/** The answer for anything thrown. What is not known is told to nobody: it may hold internals. */
export function problemOf(error: unknown): Problem {
  if (error instanceof InvalidQueryError) return { ...ofLibrary(error, 400), problems: error.problems };
  if (error instanceof ExecutionNotFoundError || error instanceof UnknownJobError) return ofLibrary(error, 404);
  if (error instanceof OverlapError) return ofLibrary(error, 409);
  if (error instanceof StoreUnavailableError) return ofLibrary(error, 503);
  if (error instanceof ScheduleNotFoundException) return problem(404, error.message, 'JOBS_SCHEDULE_NOT_FOUND');
  if (error instanceof HttpException && error.getStatus() < 500) {
    const status = error.getStatus();
    return problem(status, error.message, CODES[status] ?? 'JOBS_REQUEST_REFUSED');
  }
  return problem(500, 'The request could not be answered. The log of the application says why.', 'JOBS_INTERNAL');
}

const ofLibrary = (error: JobsError, status: number): Problem => problem(status, error.message, error.code);

const problem = (status: number, detail: string, code: Problem['code']): Problem => ({
  type: 'about:blank',
  title: TITLES[status] ?? 'Error',
  status,
  detail,
  code,
});
