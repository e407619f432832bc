import { Inject, NotFoundException, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from './jobs-http-options.js';
import { refuseParameters, type ApiRequest } from './read-query.js';

/** What the root of the API answers: its routes, below the address that was asked. */
interface RouteIndex {
  readonly routes: readonly { readonly path: string; readonly answer: string }[];
}

const ROUTES: Readonly<Record<string, string>> = {
  '/executions': 'pages of executions, newest first',
  '/executions/:key': 'one execution, by percent-encoded key or id',
  '/executions/:key/attempts': 'its attempts',
  '/executions/:key/steps': 'its finished steps',
  '/executions/:key/logs': 'its log lines',
  '/executions/:key/items': 'its failed items',
  '/executions/:key/why': 'why it runs, waits or ended',
  '/schedules': 'every schedule with its cursor and its fires',
  '/schedules/:name': 'one schedule, its versions and what was left out',
};

/** The root of the API, and everything below it that is not there: a mistyped path must not reach the application. */
export class RootController {
  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  // One route for both: routers differ in what they do with a GET beside a route for all methods.
  answer(@Req() request: ApiRequest): RouteIndex {
    const { httpAdapter } = this.adapterHost;
    const [path = ''] = String(httpAdapter.getRequestUrl(request)).split('?', 1);
    const root = path.replace(/\/$/, '');
    const base = `/${this.options.path}/api`;
    const isRoot = root.slice(root.indexOf(base)) === base;
    const isRead = ['GET', 'HEAD'].includes(httpAdapter.getRequestMethod(request) as string);
    if (!isRoot || !isRead) {
      throw new NotFoundException('There is nothing at this path.');
    }
    refuseParameters(request);
    return { routes: Object.entries(ROUTES).map(([below, answer]) => ({ path: `${root}${below}`, answer })) };
  }
}
