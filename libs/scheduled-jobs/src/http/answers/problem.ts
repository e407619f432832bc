import { HttpException } from '@nestjs/common';
import {
  InvalidPayloadError,
  InvalidQueryError,
  InvalidRequestError,
  JobsError,
  type JobsErrorCode,
} from '../../core/errors.js';

/** Codes of answers that are about HTTP itself. */
export type HttpProblemCode =
  | 'JOBS_BODY_TOO_LARGE'
  | 'JOBS_CROSS_SITE_REQUEST'
  | 'JOBS_FORBIDDEN'
  | 'JOBS_IDEMPOTENCY_KEY_REUSED'
  | 'JOBS_INTERNAL'
  | 'JOBS_REQUEST_IN_PROGRESS'
  | 'JOBS_REQUEST_REFUSED'
  | 'JOBS_ROUTE_NOT_FOUND'
  | 'JOBS_SCHEDULE_NOT_FOUND'
  | 'JOBS_TOO_MANY_STREAMS'
  | 'JOBS_UNAUTHENTICATED';

/** An answer about HTTP itself, with a code of its own. */
export class ProblemException extends HttpException {
  constructor(
    status: number,
    readonly code: HttpProblemCode,
    detail: string,
  ) {
    super(detail, status);
  }
}

/** No job with a schedule has this name. */
export class ScheduleNotFoundException extends ProblemException {
  constructor(name: string) {
    super(404, 'JOBS_SCHEDULE_NOT_FOUND', `There is no schedule "${name.slice(0, 100)}".`);
  }
}

/** An error answer as RFC 9457 describes it. Clients test `code`; `title` and `detail` are for people. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: JobsErrorCode | HttpProblemCode;
  /** One text per mistake, for a request with several. */
  readonly problems?: readonly string[];
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const CODES: Readonly<Record<number, HttpProblemCode>> = {
  401: 'JOBS_UNAUTHENTICATED',
  403: 'JOBS_FORBIDDEN',
  404: 'JOBS_ROUTE_NOT_FOUND',
};

/** Errors that tell a caller what to do otherwise. Any other is a fault of the server. */
const STATUSES: Readonly<Partial<Record<JobsErrorCode, number>>> = {
  JOBS_INVALID_PAYLOAD: 400,
  JOBS_INVALID_QUERY: 400,
  JOBS_INVALID_REQUEST: 400,
  JOBS_BACKFILL_NOT_FOUND: 404,
  JOBS_EXECUTION_NOT_FOUND: 404,
  JOBS_UNKNOWN_JOB: 404,
  JOBS_DUPLICATE_EXECUTION: 409,
  JOBS_EXECUTION_ENDED: 409,
  JOBS_EXECUTION_HELD: 409,
  JOBS_EXECUTION_NOT_FAILED: 409,
  JOBS_EXECUTION_NOT_REPLAYABLE: 409,
  JOBS_JOB_PAUSED: 409,
  JOBS_OVERLAP: 409,
  JOBS_STORE_UNAVAILABLE: 503,
};

/** The answer for anything thrown. What is not known is told to nobody: it may hold internals. */
export function problemOf(error: unknown): Problem {
  const known = error instanceof JobsError ? STATUSES[error.code] : undefined;
  if (error instanceof JobsError && known !== undefined) {
    return { ...problem(known, error.message, error.code), ...problemsOf(error) };
  }
  if (error instanceof ProblemException) return problem(error.getStatus(), error.message, error.code);
  if (error instanceof HttpException && error.getStatus() < 500) {
    const status = error.getStatus();
    return problem(status, error.message, CODES[status] ?? 'JOBS_REQUEST_REFUSED');
  }
  return problem(500, 'The request could not be answered. The log of the application says why.', 'JOBS_INTERNAL');
}

const problemsOf = (error: JobsError): Pick<Problem, 'problems'> =>
  error instanceof InvalidQueryError || error instanceof InvalidRequestError || error instanceof InvalidPayloadError
    ? { problems: error.problems }
    : {};

const problem = (status: number, detail: string, code: Problem['code']): Problem => ({
  type: 'about:blank',
  title: TITLES[status] ?? 'Error',
  status,
  detail,
  code,
});
