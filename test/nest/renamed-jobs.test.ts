import type { INestApplication, Type } from '@nestjs/common';
import {
  BackgroundJob,
  EngineEvents,
  JobsClient,
  ScheduledJob,
  Worker,
  type EngineEvent,
  type JobRun,
} from 'nestjs-scheduled-jobs';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule, nextEvent } from '../support/jobs-app.js';

const STORES = Symbol.for('nestjs-scheduled-jobs/stores');

let database: TestDatabase;
const apps: INestApplication[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});
afterAll(() => database.drop());

interface AppOptions {
  readonly schema: string;
  readonly release?: number;
  readonly scheduler?: boolean;
}

/** An application with the jobs of one class, and what it has told. */
async function start(jobs: Type, options: AppOptions) {
  const app = await createApp(
    jobsModule({ url: database.url, providers: [jobs], jobs: { scheduler: false, ...options } }),
  );
  apps.push(app);
  const events: EngineEvent[] = [];
  app.get(EngineEvents).subscribe((event) => events.push(event));
  await app.init();
  return {
    app,
    jobs: app.get(JobsClient),
    registered: () => events.filter(({ type }) => type === 'schedule.registered'),
    warnings: () => events.flatMap((event) => (event.type === 'configuration.warned' ? [event.message] : [])),
  };
}

async function rows(statement: string, schema: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: database.url, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    return (await client.query<object>(statement)).rows;
  } finally {
    await client.end();
  }
}

const runs: JobRun<never>[] = [];

class OldMail {
  @BackgroundJob({ name: 'mail', key: ({ to }: { to: string }) => to })
  send(): void {}
}

class NewMail {
  @BackgroundJob({ name: 'post', aliases: ['letter', 'mail'], key: ({ to }: { to: string }) => to })
  send(run: JobRun<never>): string {
    runs.push(run);
    return 'sent by the new code';
  }
}

describe('The zone data of an application', () => {
  it('that are out of date are warned about at the start, where there are schedules', async () => {
    const formats: { readonly format: unknown } = Intl.DateTimeFormat.prototype;
    const read = Object.getOwnPropertyDescriptor(formats, 'format')!.get!;
    vi.spyOn(formats, 'format', 'get').mockImplementation(function (this: Intl.DateTimeFormat) {
      const isOutdated = this.resolvedOptions().timeZone === 'Asia/Tehran';
      return isOutdated ? () => 'GMT+04:30' : read.call(this);
    } as () => unknown);
    const warnings = async (jobs: Type) => (await start(jobs, { schema: freshSchema() })).warnings();
    expect(await warnings(NewMail)).toEqual([]);
    expect(await warnings(OldReport)).toEqual([
      expect.stringContaining(`The time zone data of this process (${process.versions['tz']}) is out of date`),
    ]);
  });
});

describe('A renamed background job', () => {
  it('runs what waits under its old name, with the new definition, under the name and key that it has', async () => {
    const schema = freshSchema();
    const old = await start(OldMail, { schema });
    const { execution } = await old.jobs.enqueue('mail', { to: 'anna' });
    const { app, jobs } = await start(NewMail, { schema });
    const started = nextEvent(app, 'worker.started');
    const ended = nextEvent(app, 'execution.ended');
    app.get(Worker).start();
    expect(await started).toMatchObject({ jobs: ['post'] });
    expect(await ended).toMatchObject({ job: 'mail', key: 'mail:anna', state: 'succeeded' });
    expect(runs.map(({ jobName, key, payload }) => ({ jobName, key, payload }))).toEqual([
      { jobName: 'mail', key: 'mail:anna', payload: { to: 'anna' } },
    ]);
    expect(await jobs.get(execution!.executionId)).toMatchObject({ jobName: 'mail', result: 'sent by the new code' });
  });

  it('is not found by an old name, and the new one is told', async () => {
    const { jobs } = await start(NewMail, { schema: freshSchema() });
    await expect(jobs.enqueue('letter', { to: 'x' })).rejects.toThrow(
      'There is no job "letter" in this application: it was renamed to "post". Use the new name.',
    );
    await expect(jobs.enqueue('posts', { to: 'x' })).rejects.toThrow('Did you mean "post"?');
  });
});

describe('A renamed job', () => {
  class OldDigest {
    @ScheduledJob('0 6 * * *', { name: 'digest' })
    run(): void {}
  }
  class NewDigest {
    @ScheduledJob('0 6 * * *', { name: 'daily-digest', aliases: ['digest'] })
    run(): void {}
  }

  it('does not execute a period again that was executed under an old name', async () => {
    const schema = freshSchema();
    const period = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const old = await start(OldDigest, { schema });
    const { execution } = await old.jobs.trigger('digest', { period });
    const { jobs } = await start(NewDigest, { schema });
    expect(await jobs.trigger('daily-digest', { period })).toEqual({
      created: false,
      execution: { executionId: execution!.executionId, key: `digest:${period}`, state: null },
    });
    const another = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    expect(await jobs.trigger('daily-digest', { period: another })).toMatchObject({
      created: true,
      execution: { key: `daily-digest:${another}` },
    });
    await rows(`delete from executions where key = 'digest:${period}' returning id`, schema);
    expect(await jobs.trigger('daily-digest', { period })).toEqual({ created: false, execution: null, pruned: true });
  });

  it('is paused and resumed with what waits under its old names', async () => {
    const schema = freshSchema();
    const old = await start(OldMail, { schema });
    await old.jobs.pause('mail', { actor: 'ops', reason: 'the server is away' });
    await old.jobs.enqueue('mail', { to: 'ben' });
    const { app, jobs } = await start(NewMail, { schema });
    const open = () => rows('select job_name from suspensions where to_at is null order by 1', schema);
    expect(await open()).toEqual([{ job_name: 'mail' }, { job_name: 'post' }]);
    expect(await jobs.resume('post', { actor: 'ops', reason: 'it is back' })).toMatchObject({ changed: true });
    expect(await open()).toEqual([]);
    const ended = nextEvent(app, 'execution.ended');
    app.get(Worker).start();
    expect(await ended).toMatchObject({ key: 'mail:ben', state: 'succeeded' });
    await jobs.pause('post', { actor: 'ops', reason: 'away again' });
    expect(await open()).toEqual(['letter', 'mail', 'post'].map((job_name) => ({ job_name })));
  });
});

class OldReport {
  @ScheduledJob('0 6 * * *', { name: 'report' })
  run(): void {}
}

class LaterReport {
  @ScheduledJob('0 7 * * *', { name: 'report' })
  run(): void {}
}

class RenamedReport {
  @ScheduledJob('0 7 * * *', { name: 'daily-report', aliases: ['report'] })
  run(): void {}
}

describe('An application that starts', () => {
  it('tells what becomes of its schedules, and lets its release decide', async () => {
    const schema = freshSchema();
    const event = (job: string, change: string, version: number) => [
      { type: 'schedule.registered', job, change, version },
    ];
    const started = async (jobs: Type, release?: number) =>
      (await start(jobs, { schema, ...(release === undefined ? {} : { release }) })).registered();
    expect(await started(OldReport)).toEqual(event('report', 'added', 1));
    expect(await started(OldReport)).toEqual([]);
    expect(await started(LaterReport)).toEqual(event('report', 'changed', 2));
    expect(await started(OldReport)).toEqual(event('report', 'left', 2));
    expect(await started(OldReport, 3)).toEqual(event('report', 'changed', 3));
    const [renamed] = event('daily-report', 'renamed', 4);
    expect(await started(RenamedReport, 4)).toEqual([{ ...renamed, takenOver: ['report'] }]);
    expect(await started(LaterReport, 3)).toEqual(event('report', 'left', 4));
    expect(await rows('select schedule_name, renamed_to from schedules order by 1', schema)).toEqual([
      { schedule_name: 'daily-report', renamed_to: null },
      { schedule_name: 'report', renamed_to: 'daily-report' },
    ]);
  });

  it('says that it carries its schedules, whatever its role, until it stops', async () => {
    const app = await createApp(
      jobsModule({ url: database.url, providers: [OldReport], jobs: { scheduler: false, worker: false, release: 5 } }),
    );
    const { schedules } = app.get<{
      readonly schedules: { readonly carry: (...values: unknown[]) => Promise<unknown> };
    }>(STORES);
    const carry = vi.spyOn(schedules, 'carry');
    const timeouts = vi.spyOn(globalThis, 'setTimeout');
    const untilNext = () =>
      timeouts.mock.results[
        timeouts.mock.calls.findIndex(([, ms]) => ms !== undefined && ms >= 27_000 && ms <= 33_000)
      ];
    await app.init();
    await expect.poll(untilNext).toBeDefined();
    expect(carry.mock.calls).toEqual([[[expect.objectContaining({ name: 'report' })], null, 5]]);
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    await app.close();
    expect(cleared).toHaveBeenCalledWith(untilNext()!.value);
  });
});
