import { HttpCode, Inject, Post, Req } from '@nestjs/common';
import { definedOnly } from '../../core/defined-only.js';
import type { AcknowledgeFilter } from '../../core/ports/operation-store.js';
import type { ReplayFilter } from '../../core/ports/replay-store.js';
import type { AcknowledgeManyPreview, AcknowledgeManyResult } from '../../nest/client/acknowledge-request.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import type { ReplayManyPreview, ReplayManyResult } from '../../nest/client/replay-request.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { given, instantOf } from '../requests/query-rules.js';
import type { ApiRequest } from '../requests/read-query.js';
import { AcknowledgeDto, ReplayDto } from './action.dto.js';
import { Actions, type Asker } from './actions.js';

/** An answer stays below what a browser shows at once. */
const DEFAULT_LIMIT = 200;

/** What people do with many dead letters at a time. */
export class DeadLetterActionsController {
  constructor(
    @Inject(JobsClient) private readonly jobs: JobsClient,
    private readonly actions: Actions,
  ) {}

  @Post('replay')
  @JobsPermission('operate')
  @HttpCode(200)
  replay(@Req() request: ApiRequest): Promise<ReplayManyPreview | ReplayManyResult> {
    const action = { name: 'replay executions', subject: null, body: ReplayDto };
    return this.actions.do(request, action, (body, asker) => this.replayMany(body, asker));
  }

  @Post('acknowledge')
  @JobsPermission('operate')
  @HttpCode(200)
  acknowledge(@Req() request: ApiRequest): Promise<AcknowledgeManyPreview | AcknowledgeManyResult> {
    const action = { name: 'acknowledge dead letters', subject: null, body: AcknowledgeDto };
    return this.actions.do(request, action, (body, asker) => this.acknowledgeMany(body, asker));
  }

  private replayMany(
    { dryRun, reason, limit = DEFAULT_LIMIT, maxPerMinute, cursor, states, ...filter }: ReplayDto,
    { actor }: Asker,
  ): Promise<ReplayManyPreview | ReplayManyResult> {
    const meant: ReplayFilter = { ...filterOf(filter), ...definedOnly({ states }) };
    if (dryRun === true || reason === undefined) return this.jobs.replay(meant, { dryRun: true });
    return this.jobs.replay(meant, { actor, reason, limit, ...definedOnly({ maxPerMinute, cursor }) });
  }

  private acknowledgeMany(
    { dryRun, reason, limit = DEFAULT_LIMIT, cursor, ...filter }: AcknowledgeDto,
    { actor }: Asker,
  ): Promise<AcknowledgeManyPreview | AcknowledgeManyResult> {
    const meant = filterOf(filter);
    if (dryRun === true || reason === undefined) return this.jobs.acknowledge(meant, { dryRun: true });
    return this.jobs.acknowledge(meant, { actor, reason, limit, ...definedOnly({ cursor }) });
  }
}

const filterOf = ({
  finishedFrom,
  finishedTo,
  ...same
}: Pick<AcknowledgeDto, 'job' | 'queue' | 'fingerprint' | 'finishedFrom' | 'finishedTo'>): AcknowledgeFilter =>
  definedOnly({ ...same, finishedFrom: given(finishedFrom, instantOf), finishedTo: given(finishedTo, instantOf) });
