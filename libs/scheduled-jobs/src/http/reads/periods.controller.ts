import { Get, Inject, Req } from '@nestjs/common';
import { JobCatalog } from '../../nest/jobs/job-catalog.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { PeriodView, type NewestPeriods } from '../views/period-view.js';
import { readQuery, type ApiRequest } from '../requests/read-query.js';
import { windowPage } from '../requests/window-cursor.js';
import { WindowListDto } from '../requests/window.dto.js';

/** The grid of schedules and periods. */
export interface GridAnswer {
  readonly from: Date;
  readonly to: Date;
  /** By name; of each the newest periods of the window. */
  readonly items: readonly NewestPeriods[];
  readonly nextCursor: string | null;
}

const DEFAULT_PERIODS = 50;
/** An answer has no more cells than that. */
const MAX_CELLS = 2_000;

/** All scheduled jobs and their periods. */
export class PeriodsController {
  private readonly view: PeriodView;

  constructor(
    @Inject(STORES) private readonly stores: Stores,
    catalog: JobCatalog,
  ) {
    this.view = new PeriodView(stores, catalog);
  }

  @Get()
  @JobsPermission('read')
  async grid(@Req() request: ApiRequest): Promise<GridAnswer> {
    const query = await readQuery(WindowListDto, request);
    const now = this.stores.clock.boundNow();
    const page = windowPage(query, ['grid'], now ?? new Date());
    const { from, to, after } = page;
    const limit = query.limit === undefined ? DEFAULT_PERIODS : Number(query.limit);
    const schedules = Math.floor(MAX_CELLS / limit);
    const standings = await this.stores.schedulePeriods.standings({
      names: null,
      afterName: after,
      limit: schedules + 1,
      from,
      to,
      now,
    });
    const shown = standings.slice(0, schedules);
    const items = await this.view.last(shown, page, limit);
    const last = standings.length > schedules ? shown.at(-1) : undefined;
    return { from, to, items, nextCursor: last === undefined ? null : page.cursorAt(last.jobName) };
  }
}
