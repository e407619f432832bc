import { HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import type { PauseResult } from '../../core/ports/suspension-store.js';
import type { BackfillPreview, BackfillResult } from '../../nest/client/backfill-request.js';
import type { EnqueueResult } from '../../nest/client/enqueue-options.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import { JobsPermission } from '../security/jobs-permission.js';
import type { ApiRequest } from '../requests/read-query.js';
import { ActionDto, BackfillDto, ResumeDto, TriggerDto } from './action.dto.js';
import { Actions } from './actions.js';

/** What people do with one job. */
export class JobActionsController {
  constructor(
    @Inject(JobsClient) private readonly jobs: JobsClient,
    private readonly actions: Actions,
  ) {}

  /** A request that may be repeated makes one execution, also when its answer was lost with the process. */
  @Post(':job/trigger')
  @JobsPermission('operate')
  @HttpCode(200)
  trigger(@Param('job') job: string, @Req() request: ApiRequest): Promise<EnqueueResult> {
    return this.actions.do(request, { name: 'trigger', subject: job, body: TriggerDto }, (body, asker) => {
      const isNamed = body.key !== undefined || body.period !== undefined || asker.requestId === null;
      return this.jobs.trigger(job, { ...body, actor: asker.actor, ...(isNamed ? {} : { key: asker.requestId }) });
    });
  }

  @Post(':job/pause')
  @JobsPermission('operate')
  @HttpCode(200)
  pause(@Param('job') job: string, @Req() request: ApiRequest): Promise<PauseResult> {
    return this.actions.do(request, { name: 'pause', subject: job, body: ActionDto }, (body, { actor }) =>
      this.jobs.pause(job, { ...body, actor }),
    );
  }

  @Post(':job/resume')
  @JobsPermission('operate')
  @HttpCode(200)
  resume(@Param('job') job: string, @Req() request: ApiRequest): Promise<PauseResult> {
    return this.actions.do(request, { name: 'resume', subject: job, body: ResumeDto }, (body, { actor }) =>
      this.jobs.resume(job, { ...body, actor }),
    );
  }

  @Post(':job/backfill')
  @JobsPermission('operate')
  @HttpCode(200)
  backfill(@Param('job') job: string, @Req() request: ApiRequest): Promise<BackfillPreview | BackfillResult> {
    return this.actions.do(request, { name: 'backfill', subject: job, body: BackfillDto }, (body, { actor }) =>
      // Nothing is written of a dry run, its reason included.
      this.jobs.backfill(job, { ...body, actor, reason: body.reason ?? 'dry run' }),
    );
  }
}
