import { HttpCode, Inject, Post, Req } from '@nestjs/common';
import { definedOnly } from '../../core/defined-only.js';
import type { ReplayFilter } from '../../core/ports/replay-store.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import type { ReplayManyPreview, ReplayManyResult } from '../../nest/client/replay-request.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { given, instantOf } from '../requests/query-rules.js';
import type { ApiRequest } from '../requests/read-query.js';
import { ReplayDto } from './action.dto.js';
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

  private replayMany(
    { dryRun, reason, limit = DEFAULT_LIMIT, maxPerMinute, cursor, ...filter }: ReplayDto,
    { actor }: Asker,
  ): Promise<ReplayManyPreview | ReplayManyResult> {
    const meant = replayFilter(filter);
    if (dryRun === true || reason === undefined) return this.jobs.replay(meant, { dryRun: true });
    return this.jobs.replay(meant, { actor, reason, limit, ...definedOnly({ maxPerMinute, cursor }) });
  }
}

const replayFilter = ({
  finishedFrom,
  finishedTo,
  ...same
}: Pick<ReplayDto, 'job' | 'queue' | 'states' | 'fingerprint' | 'finishedFrom' | 'finishedTo'>): ReplayFilter =>
  definedOnly({ ...same, finishedFrom: given(finishedFrom, instantOf), finishedTo: given(finishedTo, instantOf) });
