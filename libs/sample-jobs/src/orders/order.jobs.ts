import { Injectable } from '@nestjs/common';
import { ScheduledJob, type JobRun } from 'nestjs-scheduled-jobs';
import { SAMPLE_RETRY } from '../sample-retry.js';
import { Order } from './order.entity.js';
import { OrderServer } from './order-server.js';

/**
 * Calls to another system that is not always well: retried, slowed down when asked, never doubled.
 *
 * Each period fetches the orders of its own interval, so a period that was late or failed leaves no hole. Orders are
 * stored by their id: a repeated call stores the same rows.
 */
@Injectable()
export class OrderJobs {
  constructor(private readonly server: OrderServer) {}

  @ScheduledJob('*/10 * * * * *', {
    name: 'order-sync',
    timeZone: 'UTC',
    retry: SAMPLE_RETRY,
    lease: '10s',
    timeout: '30s',
    catchUp: { policy: 'all', window: '1m' },
  })
  async syncOrders(run: JobRun): Promise<void> {
    if (run.interval === null) throw new Error('order-sync is a scheduled job.');
    const { start: from, end: to } = run.interval;
    const orders = await this.server.orders({ from, to, idempotencyKey: run.idempotencyKey, signal: run.signal });
    await run.transaction(async (manager) => {
      await manager.upsert(
        Order,
        orders.map(({ placedAt, ...order }) => ({ ...order, placedAt: new Date(placedAt) })),
        ['id'],
      );
      run.count({ processed: orders.length });
    });
  }
}
