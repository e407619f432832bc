import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { JobsObservabilityModule } from 'nestjs-scheduled-jobs/observability';
import { LauncherModule, SAMPLE_QUEUES, SampleJobsModule } from 'sample-jobs';
import { config } from './config.js';

/** Connections beside those of running handlers: claims, renewals and finishes. */
const OWN_CONNECTIONS = 4;

/** Claims and runs executions; ticks as well, so that no period waits for an API process. */
@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: config.databaseUrl,
      autoLoadEntities: true,
      poolSize: config.concurrency + OWN_CONNECTIONS,
    }),
    ScheduledJobsModule.forRoot({
      scheduler: config.scheduler,
      worker: {
        concurrency: config.concurrency,
        pollInterval: config.pollInterval,
        shutdownTimeout: config.shutdownTimeout,
      },
      migrations: config.migrations,
      queues: SAMPLE_QUEUES,
      jobs: config.jobs,
    }),
    JobsObservabilityModule.forRoot({
      tracing: true,
      ...(config.probes === null ? {} : { metrics: true, listen: { ...config.probes, metrics: true } }),
    }),
    SampleJobsModule.forRoot({ orderServerUrl: config.orderServerUrl }),
    LauncherModule,
  ],
})
export class AppModule {}
