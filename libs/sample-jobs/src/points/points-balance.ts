import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { JobsClient, type ExecutionState } from 'nestjs-scheduled-jobs';
import { Repository } from 'typeorm';
import { Account } from './account.entity.js';
import { POINTS, POINTS_PER_PERIOD } from './points.jobs.js';

/** What the accounts hold beside what the ledger says they must hold. */
export interface PointsReport {
  readonly accounts: number;
  /** Periods that ended well. */
  readonly finishedPeriods: number;
  /** Periods that wait, run or are retried: some accounts may have their points already. */
  readonly openPeriods: number;
  /** 10 × finished periods. */
  readonly expectedPoints: number;
  readonly lowestPoints: number;
  readonly highestPoints: number;
  /** True = nothing is open and each account holds exactly the expected points. */
  readonly isExact: boolean;
}

const FINISHED = ['succeeded', 'completed_with_errors'] as const;
const OPEN = ['pending', 'running', 'retrying'] as const;
const PAGE_SIZE = 200;

/** Proves that each account got 10 points for each finished period, never more and never less. */
@Injectable()
export class PointsBalance {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly jobs: JobsClient,
  ) {}

  /** Exact once no period is open; while one runs, the counts and the accounts are read a moment apart. */
  async check(): Promise<PointsReport> {
    const openPeriods = await this.periods(OPEN);
    const finishedPeriods = await this.periods(FINISHED);
    const { accounts, lowestPoints, highestPoints } = await this.held();
    const expectedPoints = finishedPeriods * POINTS_PER_PERIOD;
    const isExact = openPeriods === 0 && lowestPoints === expectedPoints && highestPoints === expectedPoints;
    return { accounts, finishedPeriods, openPeriods, expectedPoints, lowestPoints, highestPoints, isExact };
  }

  private async periods(states: readonly ExecutionState[]): Promise<number> {
    let count = 0;
    let cursor: string | null = null;
    do {
      const query = { job: POINTS, states, limit: PAGE_SIZE };
      const page = await this.jobs.find(cursor === null ? query : { ...query, cursor });
      count += page.items.length;
      cursor = page.nextCursor;
    } while (cursor !== null);
    return count;
  }

  private async held(): Promise<Pick<PointsReport, 'accounts' | 'lowestPoints' | 'highestPoints'>> {
    const held = await this.accounts
      .createQueryBuilder('account')
      .select('count(*)', 'accounts')
      .addSelect('min(account.points)', 'lowest')
      .addSelect('max(account.points)', 'highest')
      .getRawOne<Record<'accounts' | 'lowest' | 'highest', string>>();
    return {
      accounts: Number(held?.accounts),
      lowestPoints: Number(held?.lowest),
      highestPoints: Number(held?.highest),
    };
  }
}
