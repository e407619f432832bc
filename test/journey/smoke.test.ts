import { VersioningType, ValidationPipe, type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { DefaultNamingStrategy } from 'typeorm';
import { afterEach, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, ScheduledJob, Scheduler, type JobRun } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

class Reports {
  readonly seen: string[] = [];

  @ScheduledJob('* * * * * *', { name: 'every-second', startAt: new Date(Date.now() - 3_000) })
  every(run: JobRun): { readonly period: string | null } {
    this.seen.push(run.key);
    return { period: run.period };
  }

  @BackgroundJob({ name: 'export' })
  async export(run: JobRun<{ readonly rows: number }>): Promise<number> {
    run.log.info('exporting', { rows: run.payload.rows });
    return run.transaction(async (manager) => {
      const [row] = await manager.query<{ doubled: number }[]>('select $1::int * 2 as doubled', [run.payload.rows]);
      run.count({ processed: run.payload.rows });
      return row?.doubled ?? 0;
    });
  }
}

class SnakeNaming extends DefaultNamingStrategy {
  override tableName(targetName: string, userSpecifiedName: string | undefined): string {
    return `t_${userSpecifiedName ?? targetName}`.toLowerCase();
  }

  override columnName(propertyName: string, customName: string | undefined): string {
    return `c_${customName ?? propertyName}`.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

const HOSTILE_DATA_SOURCE = {
  isolationLevel: 'SERIALIZABLE',
  parseInt8: true,
  namingStrategy: new SnakeNaming(),
} as const;

function makeHostile(app: INestApplication): void {
  app.setGlobalPrefix('backend');
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
}

let app: INestApplication | undefined;
let database: TestDatabase | undefined;

afterEach(async () => {
  await app?.close();
  await database?.drop();
  app = database = undefined;
});

describe.each(['databaseUrl', 'databaseUrl15'] as const)('PostgreSQL at %s', (server) => {
  describe.each(['express', 'fastify'] as const)('%s', (adapter) => {
    it.each(['plain', 'hostile'] as const)('ticks, runs and shows the execution in a %s application', async (host) => {
      database = await createDatabase(server);
      const root = jobsModule({
        url: database.url,
        providers: [Reports],
        imports: [JobsHttpModule.forRoot({ access: 'host' })],
        dataSource: host === 'hostile' ? HOSTILE_DATA_SOURCE : {},
      });
      app = await createApp(root, adapter);
      if (host === 'hostile') makeHostile(app);
      await app.listen(0, '127.0.0.1');
      const ended = nextEvent(app, 'execution.ended');
      await app.get(Scheduler).runOnce();
      expect(await ended).toMatchObject({ job: 'every-second', state: 'succeeded' });

      const exported = nextEvent(app, 'execution.ended', (event) => 'job' in event && event.job === 'export');
      const { execution } = await app.get(JobsClient).enqueue('export', { rows: 21 });
      expect(await exported).toMatchObject({ state: 'succeeded' });

      const api = request(await app.getUrl());
      const base = `${host === 'hostile' ? '/backend' : ''}/scheduled-jobs/api`;
      const list = await api.get(`${base}/executions?job=every-second&state=succeeded&limit=1`);
      expect(list.status, list.text).toBe(200);
      const [{ key }] = list.body.items as [{ key: string }];
      const one = await api.get(`${base}/executions/${encodeURIComponent(key)}`);
      expect(one.body).toMatchObject({
        key,
        state: 'succeeded',
        attempts: 1,
        result: { period: key.split(':').slice(1).join(':') },
      });
      const detail = await api.get(`${base}/executions/${execution?.executionId}`);
      expect(detail.body).toMatchObject({
        jobName: 'export',
        result: 42,
        payload: { rows: 21 },
        counts: { processed: 21 },
      });
      const logs = await api.get(`${base}/executions/${execution?.executionId}/logs`);
      expect(logs.body.items).toMatchObject([{ level: 'info', message: 'exporting', fields: { rows: 21 } }]);
      const schedules = await api.get(`${base}/schedules`);
      expect(schedules.body.items).toMatchObject([{ jobName: 'every-second', timeZone: 'UTC' }]);
    });
  });
});
