import { Get, Inject, Param, Req, UseInterceptors } from '@nestjs/common';
import type { LedgerReader, Page } from '../../core/ports/ledger-reader.js';
import { JobCatalog } from '../../nest/jobs/job-catalog.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { EntityTagInterceptor } from '../answers/entity-tag.interceptor.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { ScheduleNotFoundException } from '../answers/problem.js';
import { readQuery, refuseParameters, type ApiRequest } from '../requests/read-query.js';
import { ScheduleListDto } from './schedule-list.dto.js';
import { ScheduleView, type ScheduleDetailAnswer, type ScheduleAnswer } from '../views/schedule-view.js';

/** Schedules: where their cursors stand and when they fire. */
export class SchedulesController {
  private readonly ledger: LedgerReader;
  private readonly view: ScheduleView;

  constructor(@Inject(STORES) stores: Stores, catalog: JobCatalog) {
    this.ledger = stores.ledger;
    this.view = new ScheduleView(catalog);
  }

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<Page<ScheduleAnswer>> {
    const { cursor = null } = await readQuery(ScheduleListDto, request);
    const now = new Date();
    const { items, nextCursor } = await this.ledger.schedulePage(cursor);
    return { items: items.map((schedule) => this.view.summary(schedule, now)), nextCursor };
  }

  @Get(':name')
  @UseInterceptors(EntityTagInterceptor)
  @JobsPermission('read')
  async detail(@Param('name') name: string, @Req() request: ApiRequest): Promise<ScheduleDetailAnswer> {
    refuseParameters(request);
    const schedule = await this.ledger.schedule(name);
    if (schedule === null) throw new ScheduleNotFoundException(name);
    return this.view.detail(schedule, new Date());
  }
}
