import { HttpCode, Inject, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { JobsClient } from '../../nest/client/jobs-client.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../jobs-http-options.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { nothingThere, partsBelow } from '../requests/path-parts.js';
import type { ApiRequest } from '../requests/read-query.js';
import { ActionDto, RetryDto } from './action.dto.js';
import { Actions } from './actions.js';

/** What people do to one execution. */
export class ExecutionActionsController {
  constructor(
    private readonly jobs: JobsClient,
    private readonly actions: Actions,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  /** `/:key/cancel|retry|acknowledge`, one open-ended route. */
  @JobsPermission('operate')
  @HttpCode(200)
  async below(@Req() request: ApiRequest): Promise<unknown> {
    const { httpAdapter } = this.adapterHost;
    const [key, name, ...more] = partsBelow('executions', request, { httpAdapter, options: this.options });
    if (key === undefined || key === '' || more.length > 0) throw nothingThere();
    switch (name) {
      case 'cancel':
        return this.actions.do(request, { name, subject: key, body: ActionDto }, (body, { actor }) =>
          this.jobs.cancel(key, { ...body, actor }),
        );
      case 'acknowledge':
        return this.actions.do(request, { name, subject: key, body: ActionDto }, (body, { actor }) =>
          this.jobs.acknowledge(key, { ...body, actor }),
        );
      case 'retry':
        return this.actions.do(request, { name, subject: key, body: RetryDto }, (body, { actor }) =>
          this.jobs.retry(key, { ...body, actor }),
        );
      default:
        throw nothingThere();
    }
  }
}
