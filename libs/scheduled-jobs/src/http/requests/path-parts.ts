import { NotFoundException } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { ResolvedHttpOptions } from '../jobs-http-options.js';
import type { ApiRequest } from './read-query.js';

type HttpAdapter = HttpAdapterHost['httpAdapter'];

/**
 * The parts of the path behind `<path>/api/<route>/`, decoded one by one, so that a key may hold an encoded slash. For routes
 * with an open end: routers limit the length of a named part (Fastify to 100 characters), and an encoded key may be much longer.
 * @throws NotFoundException when the path is not the encoding of anything.
 */
export function partsBelow(
  route: string,
  request: ApiRequest,
  { httpAdapter, options }: { readonly httpAdapter: HttpAdapter; readonly options: ResolvedHttpOptions },
): readonly string[] {
  const url: unknown = httpAdapter.getRequestUrl(request);
  const [path = ''] = String(url).split('?', 1);
  const base = `/${options.path}/api/${route}/`;
  const start = path.indexOf(base);
  if (start < 0) throw nothingThere();
  try {
    const rest = path.slice(start + base.length).replace(/\/$/, '');
    return rest.split('/').map(decodeURIComponent);
  } catch {
    throw nothingThere();
  }
}

/** There is no such route. */
export const nothingThere = (): NotFoundException => new NotFoundException('There is nothing at this path.');
