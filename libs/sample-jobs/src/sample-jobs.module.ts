import { Module, type DynamicModule } from '@nestjs/common';
import { ExportsModule } from './exports/exports.module.js';
import { OrdersModule, type OrdersModuleOptions } from './orders/orders.module.js';
import { PointsModule } from './points/points.module.js';
import { ReportsModule } from './reports/reports.module.js';

/**
 * All samples at once. Both applications import it: the one that ticks and enqueues must know the definitions, the one that
 * works must have the handlers.
 */
@Module({})
export class SampleJobsModule {
  static forRoot(options: OrdersModuleOptions): DynamicModule {
    const features = [PointsModule, ReportsModule, OrdersModule.forRoot(options), ExportsModule];
    return { module: SampleJobsModule, imports: features, exports: features };
  }
}
