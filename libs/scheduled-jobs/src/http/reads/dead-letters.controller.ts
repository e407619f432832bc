import { Get, Inject, Req } from '@nestjs/common';
import type { DeadLetterGroups } from '../../core/ports/dead-letter-reader.js';
import type { ExecutionSummary, Page } from '../../core/ports/ledger-reader.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { DeadLetterGroupDto } from './dead-letter-group.dto.js';
import { DeadLetterListDto, executionQuery } from './execution-list.dto.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { readQuery, type ApiRequest } from '../requests/read-query.js';

/** Failures that nobody has acknowledged. */
export class DeadLettersController {
  constructor(@Inject(STORES) private readonly stores: Stores) {}

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<Page<ExecutionSummary>> {
    const query = executionQuery(await readQuery(DeadLetterListDto, request));
    return this.stores.ledger.deadLetters(query, this.stores.clock.boundNow());
  }

  @Get('groups')
  @JobsPermission('read')
  async groups(@Req() request: ApiRequest): Promise<DeadLetterGroups> {
    return this.stores.deadLetters.groups(await readQuery(DeadLetterGroupDto, request));
  }
}
