import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Order } from '../orders/order.entity.js';
import { SampleSchemaModule } from '../schema/sample-schema.module.js';
import { DailyReport } from './daily-report.entity.js';
import { ReportJobs } from './report.jobs.js';

/** One report per business date. */
@Module({
  imports: [SampleSchemaModule, TypeOrmModule.forFeature([Order, DailyReport])],
  providers: [ReportJobs],
})
export class ReportsModule {}
