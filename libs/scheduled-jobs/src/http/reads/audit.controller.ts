import { Get, Inject, Req } from '@nestjs/common';
import type { AuditEntry } from '../../core/ports/audit-log.js';
import type { Page } from '../../core/ports/ledger-reader.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { auditQuery, AuditListDto } from './audit-list.dto.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { readQuery, type ApiRequest } from '../requests/read-query.js';

/** What people did by hand, and why. */
export class AuditController {
  constructor(@Inject(STORES) private readonly stores: Stores) {}

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<Page<AuditEntry>> {
    return this.stores.audit.find(auditQuery(await readQuery(AuditListDto, request)));
  }
}
