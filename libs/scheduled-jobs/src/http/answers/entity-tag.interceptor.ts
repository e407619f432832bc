import { createHash } from 'node:crypto';
import {
  HttpException,
  HttpStatus,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { map, type Observable } from 'rxjs';

/** The reader has this very answer already. */
export class NotModifiedException extends HttpException {
  constructor() {
    super('Not modified.', HttpStatus.NOT_MODIFIED);
  }
}

interface Conditional {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Names each answer by a digest, so that who asks again with `If-None-Match` gets 304 while nothing has changed. */
@Injectable()
export class EntityTagInterceptor implements NestInterceptor {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<Conditional>();
    return next.handle().pipe(
      map((body: unknown) => {
        const tag = entityTag(body);
        this.adapterHost.httpAdapter.setHeader(http.getResponse<unknown>(), 'ETag', tag);
        if (isAmong(tag, headers['if-none-match'])) throw new NotModifiedException();
        return body;
      }),
    );
  }
}

const entityTag = (body: unknown): string =>
  `W/"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`;

/** Tags of proxies may have lost or got the mark of a weak one. */
const isAmong = (tag: string, given: string | readonly string[] | undefined): boolean =>
  String(given ?? '')
    .split(',')
    .some((one) => one.trim().replace(/^W\//, '') === tag.slice(2));
