import { Get, Inject, Param, Req, UseInterceptors } from '@nestjs/common';
import { InvalidQueryError, UnknownJobError } from '../../core/errors.js';
import { JOB_NAME } from '../../core/job/execution-key.js';
import type { JobStatistics } from '../../core/ports/statistics-reader.js';
import { JobCatalog } from '../../nest/jobs/job-catalog.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { JobView, type JobAnswer, type JobDetailAnswer, type JobListAnswer } from '../views/job-view.js';
import { EntityTagInterceptor } from '../answers/entity-tag.interceptor.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { PeriodView, type SchedulePeriods } from '../views/period-view.js';
import { readQuery, refuseParameters, type ApiRequest } from '../requests/read-query.js';
import { timeWindow } from '../requests/time-window.js';
import { windowPage } from '../requests/window-cursor.js';
import { WindowDto, WindowPageDto } from '../requests/window.dto.js';

/** The periods of one scheduled job in a window, oldest first. */
export interface JobPeriodsAnswer extends SchedulePeriods {
  readonly from: Date;
  readonly to: Date;
  readonly nextCursor: string | null;
}

const MAX_PERIODS = 1_000;

/** Jobs that the ledger knows, and how they stand. */
export class JobsController {
  private readonly view: JobView;
  private readonly periodView: PeriodView;

  constructor(
    @Inject(STORES) private readonly stores: Stores,
    catalog: JobCatalog,
  ) {
    this.view = new JobView(catalog);
    this.periodView = new PeriodView(stores, catalog);
  }

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<JobListAnswer> {
    refuseParameters(request);
    const { jobs, hasMore, deadLetters } = await this.stores.jobs.list(null, this.now());
    const items = jobs.map((job): JobAnswer => this.view.summary(job));
    return { items, hasMore, deadLettersCapped: deadLetters.capped };
  }

  @Get(':job')
  @UseInterceptors(EntityTagInterceptor)
  @JobsPermission('read')
  async detail(@Param('job') name: string, @Req() request: ApiRequest): Promise<JobDetailAnswer> {
    refuseParameters(request);
    const { jobs } = isName(name) ? await this.stores.jobs.list(name, this.now()) : { jobs: [] };
    const [job] = jobs;
    if (job === undefined) throw new UnknownJobError(name.slice(0, 100));
    return this.view.detail(job);
  }

  @Get(':job/statistics')
  @JobsPermission('read')
  async statistics(@Param('job') name: string, @Req() request: ApiRequest): Promise<JobStatistics> {
    const window = timeWindow(await readQuery(WindowDto, request), this.now() ?? new Date());
    await this.checkName(name);
    return this.stores.statistics.ofJob({ jobName: name, ...window });
  }

  @Get(':job/periods')
  @JobsPermission('read')
  async periods(@Param('job') name: string, @Req() request: ApiRequest): Promise<JobPeriodsAnswer> {
    const now = this.now();
    const page = windowPage(await readQuery(WindowPageDto, request), ['periods', name], now ?? new Date());
    const { from, to, after } = page;
    await this.checkName(name);
    const filter = { names: [name], afterName: null, limit: 1 };
    const [standing] = await this.stores.schedulePeriods.standings({ ...filter, from, to, now });
    if (standing === undefined)
      throw new InvalidQueryError([`"${name}" has no schedule that goes on: it has no periods`]);
    const rest = { from: after === null ? from : new Date(after), to };
    const { nextFrom, ...found } = await this.periodView.first(standing, rest, MAX_PERIODS);
    const nextCursor = nextFrom === null ? null : page.cursorAt(nextFrom.toISOString());
    return { from, to, ...found, nextCursor };
  }

  private async checkName(name: string): Promise<void> {
    if (isName(name) && (await this.stores.jobs.has(name))) return;
    throw new UnknownJobError(name.slice(0, 100));
  }

  private now(): Date | null {
    return this.stores.clock.boundNow();
  }
}

const isName = (text: string): boolean => JOB_NAME.pattern.test(text);
