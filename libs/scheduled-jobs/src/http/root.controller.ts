import { Inject, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from './jobs-http-options.js';
import { JobsPermission } from './jobs-permission.js';
import { nothingThere } from './path-parts.js';
import { refuseParameters, type ApiRequest } from './read-query.js';

/** What the root of the API answers: its routes, below the address that was asked. */
interface RouteIndex {
  readonly routes: readonly { readonly method: 'GET' | 'POST'; readonly path: string; readonly answer: string }[];
}

const ROUTES: Readonly<Record<string, string>> = {
  '/executions': 'pages of executions, newest first',
  '/executions/:key': 'one execution, by percent-encoded key or id',
  '/executions/:key/attempts': 'its attempts',
  '/executions/:key/steps': 'its finished steps',
  '/executions/:key/logs': 'its log lines',
  '/executions/:key/items': 'its failed items',
  '/executions/:key/timeline': 'what happened to it, in order',
  '/executions/:key/why': 'why it runs, waits or ended',
  '/backfills/:id': 'one backfill and how far it has come',
  '/session': 'who you are and what you may do',
  '/overview': 'how all stands, and what needs attention',
  '/jobs': 'every job and its last execution',
  '/jobs/:job': 'one job and its options',
  '/jobs/:job/statistics': 'what became of its executions in a window',
  '/jobs/:job/periods': 'its periods in a window, the missing ones included',
  '/periods': 'the newest periods of every schedule',
  '/schedules': 'every schedule with its cursor and its fires',
  '/schedules/:name': 'one schedule, its versions and what was left out',
  '/queues': 'limits and pauses of queues, and what is in them',
  '/instances': 'processes that were seen within a day',
  '/dead-letters': 'pages of failures that nobody has acknowledged, newest first',
  '/dead-letters/groups': 'the same by kind of error',
  '/events': 'hints of changes while they happen, as server-sent events',
  '/audit': 'pages of what people did by hand, newest first',
  '/alerts': 'pages of alerts, newest first',
};

const ACTIONS: Readonly<Record<string, string>> = {
  '/jobs/:job/trigger': 'adds an execution by hand',
  '/jobs/:job/pause': 'lets it rest',
  '/jobs/:job/resume': 'ends its pause',
  '/jobs/:job/backfill': 'executes periods of the past',
  '/backfills/:id/cancel': 'cancels what has not started of it',
  '/dead-letters/replay': 'executes many once more',
  '/queues/:queue/pause': 'lets it rest',
  '/queues/:queue/resume': 'ends its pause',
  '/executions/:key/cancel': 'cancels it',
  '/executions/:key/retry': 'executes it once more',
  '/executions/:key/acknowledge': 'takes it from the dead letters',
};

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
    const routes = (method: 'GET' | 'POST', answers: Readonly<Record<string, string>>) =>
      Object.entries(answers).map(([below, answer]) => ({ method, path: `${root}${below}`, answer }));
    return { routes: [...routes('GET', ROUTES), ...routes('POST', ACTIONS)] };
  }
}
