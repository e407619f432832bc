import { Get, Inject, Param, Req } from '@nestjs/common';
import { UnknownJobError } from '../core/errors.js';
import { JobCatalog } from '../nest/job-catalog.js';
import { STORES } from '../nest/tokens.js';
import type { Stores } from '../postgres/create-stores.js';
import { JobView, type JobAnswer, type JobDetailAnswer, type JobListAnswer } from './job-view.js';
import { JobsPermission } from './jobs-permission.js';
import { refuseParameters, type ApiRequest } from './read-query.js';

/** Jobs that the ledger knows, and how they stand. */
export class JobsController {
  private readonly view: JobView;

  constructor(
    @Inject(STORES) private readonly stores: Stores,
    catalog: JobCatalog,
  ) {
    this.view = new JobView(catalog);
  }

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<JobListAnswer> {
    refuseParameters(request);
    const { jobs, hasMore, deadLetters } = await this.stores.jobs.list(null, this.stores.clock.boundNow());
    const items = jobs.map((job): JobAnswer => this.view.summary(job));
    return { items, hasMore, deadLettersCapped: deadLetters.capped };
  }

  @Get(':job')
  @JobsPermission('read')
  async detail(@Param('job') name: string, @Req() request: ApiRequest): Promise<JobDetailAnswer> {
    refuseParameters(request);
    const { jobs } = name.includes('\0')
      ? { jobs: [] }
      : await this.stores.jobs.list(name, this.stores.clock.boundNow());
    const [job] = jobs;
    if (job === undefined) throw new UnknownJobError(name.slice(0, 100));
    return this.view.detail(job);
  }
}
