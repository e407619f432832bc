import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { JobsObservabilityModule } from 'nestjs-scheduled-jobs/observability';
import { LauncherModule, SAMPLE_QUEUES, SampleJobsModule } from 'sample-jobs';
import { config } from './config.js';
import { ExportsController } from './exports/exports.controller.js';
import { PointsController } from './points/points.controller.js';
import { TokenGuard } from './token.guard.js';

/** Ticks, enqueues and shows the ledger; the work itself is done by `apps/worker`. */
@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: config.databaseUrl, autoLoadEntities: true, poolSize: 5 }),
    ScheduledJobsModule.forRoot({
      scheduler: config.scheduler,
      migrations: config.migrations,
      queues: SAMPLE_QUEUES,
      jobs: config.jobs,
    }),
    JobsHttpModule.forRoot({ guards: [TokenGuard] }),
    JobsObservabilityModule.forRoot({ metrics: true, tracing: true, routes: { guards: [TokenGuard] } }),
    SampleJobsModule.forRoot({ orderServerUrl: config.orderServerUrl }),
    LauncherModule,
  ],
  controllers: [ExportsController, PointsController],
})
export class AppModule {}
