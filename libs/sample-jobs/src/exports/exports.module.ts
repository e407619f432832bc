import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SampleSchemaModule } from '../schema/sample-schema.module.js';
import { ExportCleanupJobs } from './export-cleanup.jobs.js';
import { ExportJobs } from './export.jobs.js';
import { Exports } from './exports.js';
import { ProjectExport } from './project-export.entity.js';

/** Exports of projects: requests for them, the job that makes them, and the one that removes old ones. */
@Module({
  imports: [SampleSchemaModule, TypeOrmModule.forFeature([ProjectExport])],
  providers: [ExportJobs, ExportCleanupJobs, Exports],
  exports: [Exports],
})
export class ExportsModule {}
