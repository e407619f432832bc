import { Get, Inject, Req } from '@nestjs/common';
import { JobsClient } from '../../nest/client/jobs-client.js';
import type { QueueView } from '../../nest/client/queues.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { refuseParameters, type ApiRequest } from '../requests/read-query.js';

/** Queues: their limits, pauses and what is in them. */
export class QueuesController {
  constructor(@Inject(JobsClient) private readonly jobs: JobsClient) {}

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<{ readonly items: readonly QueueView[] }> {
    refuseParameters(request);
    return { items: await this.jobs.queues() };
  }
}
