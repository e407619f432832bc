import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Observable } from 'rxjs';

type HttpAdapter = HttpAdapterHost['httpAdapter'];

/** Answers describe this very moment and are data, never a page. */
export function setApiHeaders(httpAdapter: HttpAdapter, response: unknown): void {
  httpAdapter.setHeader(response, 'Cache-Control', 'no-store');
  httpAdapter.setHeader(response, 'X-Content-Type-Options', 'nosniff');
}

/** Sets the headers that every answer of the API carries. */
@Injectable()
export class ApiHeadersInterceptor implements NestInterceptor {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    setApiHeaders(this.adapterHost.httpAdapter, context.switchToHttp().getResponse<unknown>());
    return next.handle();
  }
}
