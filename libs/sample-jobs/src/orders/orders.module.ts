import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SampleSchemaModule } from '../schema/sample-schema.module.js';
import { Order } from './order.entity.js';
import { OrderJobs } from './order.jobs.js';
import { OrderServer } from './order-server.js';

/** What the order sample needs to know of its surroundings. */
export interface OrdersModuleOptions {
  /** Where the order server answers, such as `http://127.0.0.1:4000`. */
  readonly orderServerUrl: string;
}

/** Orders of the shop, fetched from its order server. */
@Module({})
export class OrdersModule {
  static forRoot({ orderServerUrl }: OrdersModuleOptions): DynamicModule {
    return {
      module: OrdersModule,
      imports: [SampleSchemaModule, TypeOrmModule.forFeature([Order])],
      providers: [OrderJobs, { provide: OrderServer, useFactory: () => new OrderServer(orderServerUrl) }],
    };
  }
}
