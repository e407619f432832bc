import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SampleSchemaModule } from '../schema/sample-schema.module.js';
import { Account } from './account.entity.js';
import { PointsBalance } from './points-balance.js';
import { PointsJobs } from './points.jobs.js';

/** Points for every account, and the proof that each got its own. */
@Module({
  imports: [SampleSchemaModule, TypeOrmModule.forFeature([Account])],
  providers: [PointsJobs, PointsBalance],
  exports: [PointsBalance],
})
export class PointsModule {}
