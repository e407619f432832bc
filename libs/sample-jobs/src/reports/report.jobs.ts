import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { ScheduledJob, type JobRun } from 'nestjs-scheduled-jobs';
import type { EntityManager } from 'typeorm';
import { Order } from '../orders/order.entity.js';
import { SAMPLE_RETRY } from '../sample-retry.js';
import { DailyReport } from './daily-report.entity.js';

const DAY_MS = 86_400_000;

/**
 * One result per business date, whatever the servers' clocks and zones say.
 *
 * It runs at midnight in Shanghai and reports the day that has just ended: `run.period` is that date and `run.interval`
 * exactly its orders. A late run, a retry and a catch-up run of the same date see the same interval. The schedule begins
 * two weeks before the first start, which makes the reports of the last seven days: older ones are left out on record,
 * and are what a backfill is for.
 */
@Injectable()
export class ReportJobs {
  @ScheduledJob(CronExpression.EVERY_DAY_AT_MIDNIGHT, {
    name: 'daily-report',
    timeZone: 'Asia/Shanghai',
    periodOf: 'previous',
    startAt: new Date(Date.now() - 14 * DAY_MS),
    catchUp: { policy: 'all', window: '7d' },
    // the report and the completion of the run commit together, so that neither exists without the other
    transactional: true,
    retry: SAMPLE_RETRY,
    lease: '10s',
  })
  async writeReport(run: JobRun): Promise<{ readonly orders: number; readonly amountCents: number }> {
    const { manager, interval, period } = run;
    if (manager === undefined || interval === null || period === null) {
      throw new Error('daily-report is a scheduled, transactional job.');
    }
    const totals = await totalsOf(interval, manager);
    await manager.insert(DailyReport, {
      businessDate: period,
      orders: totals.orders,
      amountCents: String(totals.amountCents),
    });
    run.log.info('The report is written.', { businessDate: period, ...totals });
    return totals;
  }
}

/** The orders placed within `[start, end)`. */
async function totalsOf({ start, end }: { readonly start: Date; readonly end: Date }, manager: EntityManager) {
  const totals = await manager
    .createQueryBuilder(Order, 'o')
    .select('count(*)', 'orders')
    .addSelect('coalesce(sum(o.amountCents), 0)', 'amountCents')
    .where('o.placedAt >= :start and o.placedAt < :end', { start, end })
    .getRawOne<{ readonly orders: string; readonly amountCents: string }>();
  return { orders: Number(totals?.orders ?? 0), amountCents: Number(totals?.amountCents ?? 0) };
}
