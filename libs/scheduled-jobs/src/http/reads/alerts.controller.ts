import { Get, Inject, Req } from '@nestjs/common';
import type { Alert } from '../../core/alert/alert.js';
import type { Page } from '../../core/ports/ledger-reader.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { alertQuery, AlertListDto } from './alert-list.dto.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { readQuery, type ApiRequest } from '../requests/read-query.js';

/** What somebody should know of: alerts that are open, and those that were. */
export class AlertsController {
  constructor(@Inject(STORES) private readonly stores: Stores) {}

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<Page<Alert>> {
    return this.stores.alerts.list(alertQuery(await readQuery(AlertListDto, request)));
  }
}
