import { HttpCode, Inject, Req } from '@nestjs/common';
import { JobsClient } from '../../nest/client/jobs-client.js';
import type { RoutedRequest } from '../dashboard/page-base.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { nothingThere, partsBelow } from '../requests/path-parts.js';
import type { ApiRequest } from '../requests/read-query.js';
import { ActionDto, RetryDto } from './action.dto.js';
import { Actions } from './actions.js';

/** What people do to one execution. */
export class ExecutionActionsController {
  constructor(
    @Inject(JobsClient) private readonly jobs: JobsClient,
    private readonly actions: Actions,
  ) {}

  /** `/:key/cancel|retry|acknowledge`, one open-ended route. */
  @JobsPermission('operate')
  @HttpCode(200)
  async below(@Req() request: ApiRequest & RoutedRequest): Promise<unknown> {
    const [key, name, ...more] = partsBelow(request);
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
