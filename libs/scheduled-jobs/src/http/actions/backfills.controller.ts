import { Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import type { Backfill, CanceledBackfill } from '../../core/ports/backfill-store.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { refuseParameters, type ApiRequest } from '../requests/read-query.js';
import { ActionDto } from './action.dto.js';
import { Actions } from './actions.js';

/** One backfill: how far it has come, and its end. */
export class BackfillsController {
  constructor(
    @Inject(JobsClient) private readonly jobs: JobsClient,
    private readonly actions: Actions,
  ) {}

  @Get(':id')
  @JobsPermission('read')
  async detail(@Param('id') id: string, @Req() request: ApiRequest): Promise<Backfill> {
    refuseParameters(request);
    return this.jobs.getBackfill(id);
  }

  @Post(':id/cancel')
  @JobsPermission('operate')
  @HttpCode(200)
  cancel(@Param('id') id: string, @Req() request: ApiRequest): Promise<CanceledBackfill> {
    return this.actions.do(request, { name: 'cancel the backfill', subject: id, body: ActionDto }, (body, { actor }) =>
      this.jobs.cancelBackfill(id, { ...body, actor }),
    );
  }
}
