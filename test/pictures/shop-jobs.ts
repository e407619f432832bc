import { setTimeout as delay } from 'node:timers/promises';
import { BackgroundJob, PermanentError, ScheduledJob, type JobRun } from 'nestjs-scheduled-jobs';

const DAY_MS = 86_400_000;
const RUNBOOK = 'https://wiki.example.org/runbooks/';
const NOW = Date.now();
const daysAgo = (days: number): Date => new Date(NOW - days * DAY_MS);
const ageDays = ({ scheduledFor }: JobRun<unknown>): number =>
  Math.round((NOW - (scheduledFor?.getTime() ?? NOW)) / DAY_MS);
const RETRY = { maxAttempts: 3, backoff: ['1m', '5m'] } as const;
const PRICES = ['SKU-1001', 'SKU-1002', 'SKU-1003'];
const QUICK_RETRY = { maxAttempts: 3, backoff: ['1s', '2s'] } as const;

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

/** The jobs of a shop. What goes wrong in them goes wrong on the same days before the present, so that pictures stay alike. */
export class ShopJobs {
  @ScheduledJob('0 0 * * *', { name: 'daily-report', timeZone: 'Asia/Shanghai', startAt: daysAgo(36) })
  dailyReport(run: JobRun): object {
    return { period: run.period, orders: 1_200 + ageDays(run) * 7 };
  }

  @ScheduledJob('30 2 * * *', {
    name: 'invoices',
    timeZone: 'Europe/Berlin',
    startAt: daysAgo(36),
    retry: RETRY,
    runbook: `${RUNBOOK}invoices`,
  })
  invoices(run: JobRun): void {
    const age = ageDays(run);
    if ([1, 9, 10].includes(age)) throw failure('ledger export: connect ETIMEDOUT 10.2.0.17:5432', 'ETIMEDOUT');
    if (age % 6 === 2 && run.attempt === 1) throw new Error('deadlock detected');
  }

  @ScheduledJob('0 1 * * *', { name: 'database-backup', timeZone: 'America/New_York', startAt: daysAgo(36) })
  backup(): void {}

  @ScheduledJob('0 9 * * 1-5', { name: 'newsletter', timeZone: 'Europe/London', startAt: daysAgo(36) })
  newsletter(): void {}

  @ScheduledJob('0 4 * * *', {
    name: 'cart-cleanup',
    timeZone: 'UTC',
    startAt: daysAgo(36),
    exclude: ({ scheduledFor }) => scheduledFor.getUTCDay() === 0,
  })
  cartCleanup(): void {}

  @ScheduledJob('15 5 * * *', { name: 'price-import', timeZone: 'Europe/Berlin', startAt: daysAgo(36), retry: RETRY })
  async priceImport(run: JobRun): Promise<void> {
    const isBroken = [3, 4, 5, 19].includes(ageDays(run));
    await run.items(
      {
        name: 'prices',
        key: (item: string) => item,
        source: (after, size) => Promise.resolve(PRICES.filter((sku) => sku > (after ?? '')).slice(0, size)),
        size: 3,
        onError: 'skip',
        maxFailures: 5,
      },
      (items) =>
        isBroken && items.includes('SKU-1002')
          ? Promise.reject(new RangeError('the price is negative'))
          : Promise.resolve(),
    );
  }

  @ScheduledJob('0 * * * *', { name: 'stock-sync', timeZone: 'UTC', startAt: daysAgo(1.7), retry: RETRY })
  stockSync(run: JobRun): void {
    const hour = run.scheduledFor?.getUTCHours() ?? 0;
    if (hour === 7) throw failure('the supplier answers 502', 'HTTP_502');
    if (hour % 6 === 2 && run.attempt === 1) throw new Error('the supplier closed the connection');
  }

  @BackgroundJob({
    name: 'export-pdf',
    queue: 'exports',
    retry: QUICK_RETRY,
    timeout: '10m',
    runbook: `${RUNBOOK}exports`,
  })
  async exportPdf(run: JobRun<{ readonly project: string }>): Promise<object> {
    const { project } = run.payload;
    await run.step('collect pages', () => delay(400, { pages: 38 }));
    run.log.info('rendering', { project, pages: 38 });
    if (project === 'apollo') {
      run.progress({ stage: 'uploading', percent: 62 });
      await delay(DAY_MS, undefined, { signal: run.signal });
    }
    await delay(900);
    if (project === 'zeus') throw new PermanentError('the project "zeus" is archived: it has no pages to export');
    return { bytes: 183_402 };
  }

  @BackgroundJob({ name: 'mail', queue: 'mails', retry: QUICK_RETRY, runbook: `${RUNBOOK}mail` })
  async mail(run: JobRun<{ readonly to: string }>): Promise<void> {
    await run.step('render', () => delay(80, { template: 'order-confirmed' }));
    run.log.info('connecting', { relay: 'smtp-2', attempt: run.attempt });
    await delay(300);
    if (!run.payload.to.endsWith('example.net')) return;
    run.log.warn('the relay refuses', { relay: 'smtp-2', code: 421 });
    throw failure('421 smtp-2.example.net: too many connections', 'SMTP_421');
  }
}
