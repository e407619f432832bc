import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SampleSchemaModule } from '../schema/sample-schema.module.js';
import { ExportJobs } from './export.jobs.js';
import { Exports } from './exports.js';
import { ProjectExport } from './project-export.entity.js';

/** Exports of projects: requests for them, and the job that makes them. */
@Module({
  imports: [SampleSchemaModule, TypeOrmModule.forFeature([ProjectExport])],
  providers: [ExportJobs, Exports],
  exports: [Exports],
})
export class ExportsModule {}
