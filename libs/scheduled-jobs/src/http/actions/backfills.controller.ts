import { Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import type { Backfill, CanceledBackfill } from '../../core/ports/backfill-store.js';
import type { Page } from '../../core/ports/ledger-reader.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { backfillQuery, BackfillListDto } from '../reads/backfill-list.dto.js';
import { readQuery, refuseParameters, type ApiRequest } from '../requests/read-query.js';
import { ActionDto } from './action.dto.js';
import { Actions } from './actions.js';

/** Backfills: how far they have come, and their end. */
export class BackfillsController {
  constructor(
    @Inject(JobsClient) private readonly jobs: JobsClient,
    private readonly actions: Actions,
  ) {}

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<Page<Backfill>> {
    return this.jobs.listBackfills(backfillQuery(await readQuery(BackfillListDto, request)));
  }

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
