import {
  All,
  Controller,
  Get,
  Post,
  UseFilters,
  UseGuards,
  UseInterceptors,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import { BackfillsController } from './actions/backfills.controller.js';
import { DeadLetterActionsController } from './actions/dead-letter-actions.controller.js';
import { JobActionsController } from './actions/job-actions.controller.js';
import { QueueActionsController } from './actions/queue-actions.controller.js';
import { ExecutionActionsController } from './actions/execution-actions.controller.js';
import { AlertsController } from './reads/alerts.controller.js';
import { ApiHeadersInterceptor } from './answers/api-headers.interceptor.js';
import { AuditController } from './reads/audit.controller.js';
import { ClosedGuard } from './security/closed.guard.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { DeadLettersController } from './reads/dead-letters.controller.js';
import { EventsController } from './events/events.controller.js';
import { ExecutionsController } from './reads/executions.controller.js';
import { InstancesController } from './reads/instances.controller.js';
import { JobsController } from './reads/jobs.controller.js';
import type { ResolvedHttpOptions } from './jobs-http-options.js';
import { OverviewController } from './reads/overview.controller.js';
import { PeriodsController } from './reads/periods.controller.js';
import { ProblemFilter } from './answers/problem.filter.js';
import { QueuesController } from './reads/queues.controller.js';
import { RootController } from './reads/root.controller.js';
import { SchedulesController } from './reads/schedules.controller.js';
import { SameOriginGuard } from './security/same-origin.guard.js';
import { SessionController } from './reads/session.controller.js';

/** A controller at its place in one application. */
export interface MountedController {
  readonly type: Type;
  /**
   * Gives its open-ended route the path that the application's router understands. To be called before routes are
   * registered.
   */
  openEnd(anything: string): void;
}

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** All controllers; those that also take unknown paths come last, because some routers take the first that fits. */
export const mountControllers = (options: ResolvedHttpOptions): readonly MountedController[] => [
  mounted(ExecutionsController, { route: '/executions', options }, { method: 'below', decorate: Get }),
  mounted(ExecutionActionsController, { route: '/executions', options }, { method: 'below', decorate: Post }),
  mounted(JobActionsController, { route: '/jobs', options }, null),
  mounted(BackfillsController, { route: '/backfills', options }, null),
  mounted(DeadLetterActionsController, { route: '/dead-letters', options }, null),
  mounted(QueueActionsController, { route: '/queues', options }, null),
  mounted(SchedulesController, { route: '/schedules', options }, null),
  mounted(SessionController, { route: '/session', options }, null),
  mounted(OverviewController, { route: '/overview', options }, null),
  mounted(PeriodsController, { route: '/periods', options }, null),
  mounted(JobsController, { route: '/jobs', options }, null),
  mounted(QueuesController, { route: '/queues', options }, null),
  mounted(InstancesController, { route: '/instances', options }, null),
  mounted(DeadLettersController, { route: '/dead-letters', options }, null),
  mounted(AuditController, { route: '/audit', options }, null),
  mounted(AlertsController, { route: '/alerts', options }, null),
  mounted(EventsController, { route: '/events', options }, null),
  mounted(RootController, { route: '', options }, { method: 'answer', decorate: (end) => All(['', end]) }),
  ...(options.dashboard
    ? [mounted(DashboardController, { route: null, options }, { method: 'answer', decorate: (end) => Get(['', end]) })]
    : []),
];

/**
 * A class of its own for each application: path and guards are metadata of a class, the path of a route is metadata of a
 * function.
 */
function mounted(
  base: Type,
  { route, options }: { readonly route: string | null; readonly options: ResolvedHttpOptions },
  open: { readonly method: string; readonly decorate: (path: string) => MethodDecorator } | null,
): MountedController {
  const { [base.name]: type } = { [base.name]: class extends base {} } as Record<string, Type>;
  if (type === undefined) throw new TypeError(`The controller ${base.name} has no class.`);
  const isClosed = options.guards.length === 0 && options.access === null;
  Controller({ path: route === null ? options.path : `${options.path}/api${route}`, version: VERSION_NEUTRAL })(type);
  // Who is not let in hears that first.
  UseGuards(...(isClosed ? [ClosedGuard] : options.guards), SameOriginGuard)(type);
  UseInterceptors(ApiHeadersInterceptor)(type);
  UseFilters(ProblemFilter)(type);
  return {
    type,
    openEnd: (anything) => {
      if (open !== null) ownMethod(type, base, open.method, open.decorate(anything));
    },
  };
}

function ownMethod(type: Type, base: Type, method: string, decorate: MethodDecorator): void {
  const inherited = (base.prototype as Methods)[method];
  const descriptor: PropertyDescriptor = {
    configurable: true,
    value: function (this: unknown, ...args: unknown[]): unknown {
      return inherited?.apply(this, args);
    },
  };
  // What is said of a handler is said of its function.
  for (const key of Reflect.getMetadataKeys(inherited ?? {}) as readonly unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, inherited ?? {}), descriptor.value as object);
  }
  decorate(type.prototype as object, method, descriptor);
  Object.defineProperty(type.prototype, method, descriptor);
}
