import { Inject, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { API_ROUTES, type ApiRoute } from '../api-routes.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../jobs-http-options.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { nothingThere } from '../requests/path-parts.js';
import { refuseParameters, type ApiRequest } from '../requests/read-query.js';

/** What the root of the API answers: its routes, below the address that was asked. */
interface RouteIndex {
  readonly routes: readonly Pick<ApiRoute, 'method' | 'path' | 'answer'>[];
}

/** The root of the API, and everything below it that is not there: a mistyped path must not reach the application. */
export class RootController {
  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  // One route for both: routers differ in what they do with a GET beside a route for all methods.
  @JobsPermission('read')
  answer(@Req() request: ApiRequest): RouteIndex {
    const { httpAdapter } = this.adapterHost;
    const [path = ''] = String(httpAdapter.getRequestUrl(request)).split('?', 1);
    const root = path.replace(/\/$/, '');
    const base = `/${this.options.path}/api`;
    const isRoot = root.slice(root.indexOf(base)) === base;
    const isRead = ['GET', 'HEAD'].includes(httpAdapter.getRequestMethod(request) as string);
    if (!isRoot || !isRead) throw nothingThere();
    refuseParameters(request);
    return {
      routes: API_ROUTES.map(({ method, path: below, answer }) => ({ method, path: `${root}${below}`, answer })),
    };
  }
}
