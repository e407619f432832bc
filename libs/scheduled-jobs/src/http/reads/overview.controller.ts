import { Get, Inject, Req } from '@nestjs/common';
import { attention, type Attention } from '../../core/browse/attention.js';
import type { CappedCount } from '../../core/ports/capped-count.js';
import type { JobRecords } from '../../core/ports/job-reader.js';
import type { OverviewFacts } from '../../core/ports/overview-reader.js';
import { JobCatalog } from '../../nest/jobs/job-catalog.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import type { QueueView } from '../../nest/client/queues.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { PeriodView } from '../views/period-view.js';
import { refuseParameters, type ApiRequest } from '../requests/read-query.js';

/** How all stands at one moment. */
export interface OverviewAnswer extends Pick<OverviewFacts, 'now' | 'executions' | 'instances'> {
  readonly deadLetters: CappedCount;
  /** Periods that a tick should have recorded by now. */
  readonly overduePeriods: number;
  readonly schedules: Omit<OverviewFacts['schedules'], 'behindNames'>;
  readonly queues: {
    readonly total: number;
    readonly paused: number;
    /** Those whose breaker is open or half-open. */
    readonly open: number;
  };
  /** How long the oldest ready execution of all queues could have been running; null = none is ready. */
  readonly oldestReadyAgeMs: number | null;
  /** The most urgent first, at most 50. */
  readonly attention: readonly Attention[];
}

/** What somebody on call sees first. */
export class OverviewController {
  private readonly periods: PeriodView;

  constructor(
    @Inject(STORES) private readonly stores: Stores,
    @Inject(JobsClient) private readonly client: JobsClient,
    catalog: JobCatalog,
  ) {
    this.periods = new PeriodView(stores, catalog);
  }

  @Get()
  @JobsPermission('read')
  async overview(@Req() request: ApiRequest): Promise<OverviewAnswer> {
    refuseParameters(request);
    const now = this.stores.clock.boundNow();
    // One after the other: a page that is looked at often must not take several connections of the application's pool.
    const facts = await this.stores.overview.facts(now);
    const jobs = await this.stores.jobs.list(null, now);
    const queues = await this.client.queues();
    const overduePeriods = await this.overduePeriods(facts);
    const { behindNames, ...schedules } = facts.schedules;
    return {
      now: facts.now,
      executions: facts.executions,
      deadLetters: jobs.deadLetters,
      overduePeriods,
      schedules,
      queues: queueCounts(queues),
      instances: facts.instances,
      oldestReadyAgeMs: oldestReadyMs(queues),
      attention: attention(attentionFacts(facts, jobs, queues)),
    };
  }

  private async overduePeriods({ now, schedules }: OverviewFacts): Promise<number> {
    const { behindNames: names } = schedules;
    if (names.length === 0) return 0;
    const request = { names, afterName: null, limit: names.length, from: now, to: now, now };
    const standings = await this.stores.schedulePeriods.standings(request);
    return standings.reduce((sum, standing) => sum + this.periods.overdue(standing), 0);
  }
}

const queueCounts = (queues: readonly QueueView[]): OverviewAnswer['queues'] => ({
  total: queues.length,
  paused: queues.filter(({ pause }) => pause !== null).length,
  open: queues.filter(({ breaker }) => breaker !== null && breaker.state !== 'closed').length,
});

const oldestReadyMs = (queues: readonly QueueView[]): number | null =>
  queues.reduce<number | null>(
    (oldest, { oldestReadyMs: ms }) => (ms === null ? oldest : Math.max(ms, oldest ?? 0)),
    null,
  );

const attentionFacts = (facts: OverviewFacts, { jobs }: JobRecords, queues: readonly QueueView[]) => ({
  missed: facts.missed,
  behind: facts.schedules.behindNames,
  unhandled: facts.unhandled,
  queues,
  jobs,
});
