import { HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import type { PauseResult } from '../../core/ports/suspension-store.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import { JobsPermission } from '../security/jobs-permission.js';
import type { ApiRequest } from '../requests/read-query.js';
import { ActionDto } from './action.dto.js';
import { Actions } from './actions.js';

/** What people do with one queue. */
export class QueueActionsController {
  constructor(
    @Inject(JobsClient) private readonly jobs: JobsClient,
    private readonly actions: Actions,
  ) {}

  @Post(':queue/pause')
  @JobsPermission('operate')
  @HttpCode(200)
  pause(@Param('queue') queue: string, @Req() request: ApiRequest): Promise<PauseResult> {
    return this.actions.do(request, { name: 'pause the queue', subject: queue, body: ActionDto }, (body, { actor }) =>
      this.jobs.pauseQueue(queue, { ...body, actor }),
    );
  }

  @Post(':queue/resume')
  @JobsPermission('operate')
  @HttpCode(200)
  resume(@Param('queue') queue: string, @Req() request: ApiRequest): Promise<PauseResult> {
    return this.actions.do(request, { name: 'resume the queue', subject: queue, body: ActionDto }, (body, { actor }) =>
      this.jobs.resumeQueue(queue, { ...body, actor }),
    );
  }
}
