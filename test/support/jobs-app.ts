import type { DynamicModule, INestApplication, INestApplicationContext, Provider, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  EngineEvents,
  ScheduledJobsModule,
  type ScheduledJobsOptions,
  type ScheduledJobsStructure,
} from 'nestjs-scheduled-jobs';

/** An application around the library. */
export interface JobsAppOptions {
  readonly url: string;
  readonly providers?: readonly Provider[];
  readonly controllers?: readonly Type[];
  readonly imports?: readonly (DynamicModule | Type)[];
  readonly jobs?: ScheduledJobsOptions & ScheduledJobsStructure;
  readonly dataSource?: object;
}

let schemas = 0;

/** A schema that no other test of the file uses. */
export const freshSchema = (): string => `jobs_${process.pid}_${++schemas}`;

/** The root module of an application that ticks at most every 30 s and polls every 100 ms when its worker is started. */
export function jobsModule(options: JobsAppOptions): DynamicModule {
  class AppModule {}
  return {
    module: AppModule,
    imports: [
      TypeOrmModule.forRoot({
        type: 'postgres',
        url: options.url,
        retryAttempts: 0,
        poolSize: 10,
        ...options.dataSource,
      }),
      ScheduledJobsModule.forRoot({
        migrations: 'run',
        schema: freshSchema(),
        timeZone: 'UTC',
        worker: { pollInterval: '100ms' },
        ...options.jobs,
      }),
      ...(options.imports ?? []),
    ],
    providers: [...(options.providers ?? [])],
    controllers: [...(options.controllers ?? [])],
  };
}

/** The application, not initialized. */
export function createApp(root: DynamicModule, adapter: 'express' | 'fastify' = 'express'): Promise<INestApplication> {
  const options = { logger: false as const, abortOnError: false };
  return adapter === 'express'
    ? NestFactory.create(root, options)
    : NestFactory.create(root, new FastifyAdapter(), options);
}

/** Resolves with the next event of a type that fits. */
export function nextEvent(app: INestApplicationContext, type: string, fits: (event: object) => boolean = () => true) {
  return new Promise<object>((resolve) => {
    const unsubscribe = app.get(EngineEvents).subscribe((event) => {
      if (event.type !== type || !fits(event)) return;
      unsubscribe();
      resolve(event);
    });
  });
}
