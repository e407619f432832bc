import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Observable } from 'rxjs';

type HttpAdapter = HttpAdapterHost['httpAdapter'];

/** Answers describe this very moment and are data, never a page, so that a browser that shows one may do nothing with it. */
const API_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Sets what every answer of the API carries. */
export function setApiHeaders(httpAdapter: HttpAdapter, response: unknown): void {
  for (const [name, value] of Object.entries(API_HEADERS)) httpAdapter.setHeader(response, name, value);
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
