import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { errorStack, errorText } from '../../nest/loggable-error.js';
import { setApiHeaders } from './api-headers.interceptor.js';
import { NotModifiedException } from './entity-tag.interceptor.js';
import { problemOf } from './problem.js';

/** Answers every error of the library's own routes as `application/problem+json`, on Express and Fastify alike. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('ScheduledJobsHttp');

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const { httpAdapter } = this.adapterHost;
    const response: unknown = host.switchToHttp().getResponse();
    if (error instanceof NotModifiedException) {
      httpAdapter.reply(response, undefined, error.getStatus());
      return;
    }
    const problem = problemOf(error);
    if (problem.status >= 500) this.logger.error(errorStack(error) ?? errorText(error));
    setApiHeaders(httpAdapter, response);
    httpAdapter.setHeader(response, 'Content-Type', 'application/problem+json; charset=utf-8');
    httpAdapter.reply(response, problem, problem.status);
  }
}
