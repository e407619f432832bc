import { Get, Inject, Req } from '@nestjs/common';
import type { Instance } from '../../core/ports/instance-store.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { refuseParameters, type ApiRequest } from '../requests/read-query.js';

/** Processes of the application that were seen within the last day. */
export class InstancesController {
  constructor(@Inject(JobsClient) private readonly jobs: JobsClient) {}

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<{ readonly items: readonly Instance[] }> {
    refuseParameters(request);
    return { items: await this.jobs.instances() };
  }
}
