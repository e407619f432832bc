import { Injectable } from '@nestjs/common';
import { ScheduledJob, type JobRun } from 'nestjs-scheduled-jobs';
import { MoreThan, type EntityManager } from 'typeorm';
import { SAMPLE_RETRY } from '../sample-retry.js';
import { Account } from './account.entity.js';

/** The name of the job, by which its periods are found again. */
export const POINTS = 'points';

/** What each account gets in each period. */
export const POINTS_PER_PERIOD = 10;

const ACCOUNTS_PER_CHUNK = 1_000;

/**
 * Work over many rows that must happen exactly once for each of them, also when a worker dies in the middle.
 *
 * `points = points + 10` is not idempotent: done twice it is wrong. So the walk commits, per 1,000 accounts, the points
 * together with the checkpoint that says how far it has come. Whoever takes the period over goes on behind the last
 * committed chunk, and a worker that has lost its lease cannot commit any more.
 */
@Injectable()
export class PointsJobs {
  @ScheduledJob('*/5 * * * * *', {
    name: POINTS,
    timeZone: 'UTC',
    retry: SAMPLE_RETRY,
    lease: '10s',
    timeout: '1m',
    catchUp: { policy: 'all', window: '2m' },
  })
  async grantPoints(run: JobRun): Promise<void> {
    await run.items({ name: 'accounts', source: nextAccounts, key: ({ id }) => id, size: ACCOUNTS_PER_CHUNK }, grant);
  }
}

/** The next accounts behind `after`, in the order of their ids. */
function nextAccounts(after: string | number | null, size: number, manager: EntityManager): Promise<Account[]> {
  return manager.find(Account, {
    select: { id: true },
    where: { id: MoreThan(Number(after ?? 0)) },
    order: { id: 'asc' },
    take: size,
  });
}

/** One statement for the whole chunk; each row's new value comes from the row, not from what was read before. */
async function grant(accounts: readonly Account[], manager: EntityManager): Promise<void> {
  await manager
    .createQueryBuilder()
    .update(Account)
    .set({ points: () => `points + ${POINTS_PER_PERIOD}` })
    .whereInIds(accounts.map(({ id }) => id))
    .execute();
}
