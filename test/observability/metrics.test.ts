import { Injectable, type CanActivate, type ExecutionContext, type INestApplication } from '@nestjs/common';
import * as promClient from 'prom-client';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  BackgroundJob,
  EngineEvents,
  InvalidOptionsError,
  JobsClient,
  ScheduledJob,
  type ScheduledJobsOptions,
} from 'nestjs-scheduled-jobs';
import {
  JobsMetrics,
  JobsObservabilityModule,
  type JobsObservabilityOptions,
} from 'nestjs-scheduled-jobs/observability';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule, nextEvent } from '../support/jobs-app.js';

class Mill {
  @BackgroundJob({ name: 'grind', queue: 'mill', retry: { maxAttempts: 2, backoff: ['1ms'] } })
  async grind(run: { readonly payload: unknown; readonly attempt: number }): Promise<void> {
    if (run.payload === 'broken' && run.attempt === 1) throw new Error('a stone');
  }

  @ScheduledJob('0 0 1 1 *', { name: 'yearly' })
  async yearly(): Promise<void> {}
}

@Injectable()
class ScraperGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    return headers['authorization'] === 'Bearer scrape';
  }
}

let database: TestDatabase;
let app: INestApplication | undefined;

beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  await app?.close();
  app = undefined;
});
afterAll(() => database.drop());

async function start(
  observability: JobsObservabilityOptions,
  jobs: ScheduledJobsOptions = {},
  adapter: 'express' | 'fastify' = 'express',
) {
  const schema = freshSchema();
  app = await createApp(
    jobsModule({
      url: database.url,
      providers: [Mill],
      imports: [JobsObservabilityModule.forRoot(observability)],
      jobs: { schema, queues: { mill: { breaker: {} } }, ...jobs },
    }),
    adapter,
  );
  await app.listen(0, '127.0.0.1');
  return { app, schema, url: await app.getUrl() };
}

/** The value of a sample of a scrape, by its whole name with labels. */
const sample = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

describe('metrics', () => {
  it('count what this process does, by the events of the engine', async () => {
    const { app } = await start({ metrics: true });
    const jobs = app.get(JobsClient);
    const before = await app.get(JobsMetrics).text();
    // From the start: a rule sees no increase of a counter that appears with its first event.
    expect(sample(before, 'scheduled_jobs_ended_total{job_name="grind",state="failed"}')).toBe(0);
    const ended = nextEvent(app, 'execution.ended', (event) => 'key' in event && event.key === 'grind:corn');
    const retried = nextEvent(app, 'execution.ended', (event) => 'attempt' in event && event.attempt === 2);
    await jobs.enqueue('grind', 'corn', { key: 'corn' });
    await jobs.enqueue('grind', 'corn', { key: 'corn' });
    await jobs.enqueue('grind', 'broken');
    await Promise.all([ended, retried]);

    const text = await app.get(JobsMetrics).text();
    expect(sample(text, 'scheduled_jobs_enqueued_total{job_name="grind"}')).toBe(2);
    expect(sample(text, 'scheduled_jobs_duplicates_total{job_name="grind"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_attempts_total{job_name="grind",outcome="failed"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_attempts_total{job_name="grind",outcome="succeeded"}')).toBe(2);
    expect(sample(text, 'scheduled_jobs_ended_total{job_name="grind",state="succeeded"}')).toBe(2);
    expect(sample(text, 'scheduled_jobs_retries_total{job_name="grind"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_attempt_duration_seconds_count{job_name="grind"}')).toBe(3);
    // A later attempt is late by what the retry policy says, so it is not observed.
    expect(sample(text, 'scheduled_jobs_start_delay_seconds_count{job_name="grind"}')).toBe(2);
    expect(sample(text, 'scheduled_jobs_worker_slots')).toBe(10);
    expect(sample(text, 'scheduled_jobs_worker_slots_used')).toBe(0);
  });

  it('count lost leases, rescues, failed turns and blocked loops in base units', async () => {
    const { app } = await start({ metrics: true });
    const { emit } = app.get(EngineEvents);
    const of = { executionId: '1', key: 'grind:a', job: 'grind', attempt: 1 };
    emit({ type: 'lease.lost', ...of });
    emit({ type: 'execution.rescued', executionId: '1', ending: null, workerId: 'gone' });
    emit({ type: 'service.failed', service: 'worker', error: new Error('away'), retryInMs: 1 });
    emit({ type: 'loop.blocked', delayMs: 1_500, jobs: ['grind'], renewed: 1, expired: 0 });
    emit({ type: 'schedule.ticked', inserted: 3, skipped: 1, durationMs: 40 });
    emit({ type: 'executions.ended', job: 'grind', state: 'failed', count: 2 });
    const text = await app.get(JobsMetrics).text();
    expect(sample(text, 'scheduled_jobs_lost_leases_total{job_name="grind"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_rescued_total')).toBe(1);
    expect(sample(text, 'scheduled_jobs_ended_total{job_name="grind",state="failed"}')).toBe(2);
    expect(sample(text, 'scheduled_jobs_service_failures_total{component="worker"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_blocked_loop_seconds_total')).toBe(1.5);
    expect(sample(text, 'scheduled_jobs_ticked_total{result="inserted"}')).toBe(3);
    expect(sample(text, 'scheduled_jobs_tick_duration_seconds_sum')).toBeGreaterThanOrEqual(0.04);
  });

  it('count what ends without a worker where somebody ends it', async () => {
    const { app } = await start({ metrics: true }, { worker: false, scheduler: false });
    const jobs = app.get(JobsClient);
    const { execution } = await jobs.enqueue('grind', null);
    await jobs.cancel(execution!.executionId, { actor: 'ann', reason: 'a stone' });
    const text = await app.get(JobsMetrics).text();
    expect(sample(text, 'scheduled_jobs_ended_total{job_name="grind",state="canceled"}')).toBe(1);
  });

  it('show how the ledger stands: queues, dead letters, cursors, periods, instances, breakers', async () => {
    const { app, schema } = await start({ metrics: true }, { worker: false, scheduler: false });
    const jobs = app.get(JobsClient);
    await jobs.enqueue('grind', null, { runAt: new Date(Date.now() - 3_600_000) });
    await jobs.enqueue('grind', null, { runAt: new Date(Date.now() + 3_600_000) });
    await jobs.pauseQueue('mill', { actor: 'ann', reason: 'a stone' });
    const sql = (text: string) => app.get(DataSource).query(text);
    await sql(`update ${schema}.schedules set next_at = now() - interval '5 minutes'`);
    await sql(`insert into ${schema}.outcomes (execution_id, state, finished_at) values (9, 'failed', now())`);

    const text = await app.get(JobsMetrics).text();
    expect(sample(text, 'scheduled_jobs_ledger_up')).toBe(1);
    expect(sample(text, 'scheduled_jobs_queue_ready{queue="mill"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_queue_running{queue="mill"}')).toBe(0);
    expect(sample(text, 'scheduled_jobs_queue_oldest_ready_age_seconds{queue="mill"}')).toBeGreaterThanOrEqual(3_600);
    expect(sample(text, 'scheduled_jobs_queue_paused{queue="mill"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_breaker_state{queue="mill",state="closed"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_breaker_state{queue="mill",state="open"}')).toBe(0);
    expect(sample(text, 'scheduled_jobs_backlog{phase="delayed"}')).toBe(1);
    expect(sample(text, 'scheduled_jobs_dead_letters')).toBe(1);
    expect(sample(text, 'scheduled_jobs_cursor_lag_seconds{job_name="yearly"}')).toBeGreaterThanOrEqual(300);
    expect(sample(text, 'scheduled_jobs_missing_periods')).toBe(0);
    expect(sample(text, 'scheduled_jobs_overdue_periods')).toBe(0);
    expect(sample(text, 'scheduled_jobs_instances{role="scheduler"}')).toBe(0);
    expect(sample(text, 'scheduled_jobs_worker_slots')).toBe(0);
  });

  it('leave out what cannot be read while the database is away, and say so', async () => {
    const { app } = await start({ metrics: true }, { worker: false, scheduler: false });
    await app.get(DataSource).destroy();
    const text = await app.get(JobsMetrics).text();
    expect(sample(text, 'scheduled_jobs_ledger_up')).toBe(0);
    expect(sample(text, 'scheduled_jobs_dead_letters')).toBeUndefined();
    expect(sample(text, 'scheduled_jobs_worker_slots')).toBe(0);
    await app.get(DataSource).initialize();
  });

  it('have no label for keys, ids, texts or payloads', async () => {
    const { app } = await start({ metrics: true });
    const labels = new Set([...(await app.get(JobsMetrics).text()).matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
    const known = ['job_name', 'outcome', 'state', 'queue', 'phase', 'role', 'result', 'component', 'le'];
    expect([...labels].filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });

  it('leave the registry of the application as it was, so that a second application may use it', async () => {
    const registry = new promClient.Registry();
    registry.registerMetric(new promClient.Counter({ name: 'of_the_host', help: 'Its own.', registers: [] }));
    const first = await start({ metrics: { registry } });
    expect(first.app.get(JobsMetrics).registry).toBe(registry);
    expect(await registry.metrics()).toContain('scheduled_jobs_dead_letters');
    await first.app.close();
    expect(registry.getMetricsAsArray().map(({ name }) => name)).toEqual(['of_the_host']);
    const second = await start({ metrics: { registry } });
    expect(await registry.metrics()).toContain('scheduled_jobs_dead_letters');
    await second.app.close();
  });
});

describe.each(['express', 'fastify'] as const)('the route of the metrics on %s', (adapter) => {
  it('is closed without guards, says why, and is not there without metrics', async () => {
    const closed = await start({ metrics: true, routes: true }, {}, adapter);
    const refused = await request(closed.url).get('/metrics').expect(403);
    expect(refused.text).toContain("access: 'host'");
    await closed.app.close();
    const without = await start({ routes: { access: 'host' } }, {}, adapter);
    await request(without.url).get('/metrics').expect(404);
  });

  it('answers those whom the guards let in, in the text format', async () => {
    const { url } = await start(
      { metrics: true, routes: { guards: [ScraperGuard], metrics: 'ops/metrics' } },
      {},
      adapter,
    );
    await request(url).get('/ops/metrics').expect(403);
    const { headers, text } = await request(url).get('/ops/metrics').set('Authorization', 'Bearer scrape').expect(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain('# TYPE scheduled_jobs_attempt_duration_seconds histogram');
  });
});

describe('JobsObservabilityModule.forRoot', () => {
  it('tells every mistake at once', () => {
    const forRoot = () =>
      JobsObservabilityModule.forRoot({
        metrics: { cachFor: '1s' } as never,
        routes: { guards: [ScraperGuard], access: 'host', probes: 'a b' },
        listen: { host: ' ' } as never,
        health: { backlogAge: '0s' },
      });
    expect(forRoot).toThrow(InvalidOptionsError);
    expect(forRoot).toThrow(/metrics\.cachFor is not an option\. Did you mean "cacheFor"\?/);
    expect(forRoot).toThrow(/routes\.access cannot be combined/);
    expect(forRoot).toThrow(/routes\.probes must be a path/);
    expect(forRoot).toThrow(/listen\.port is missing/);
    expect(forRoot).toThrow(/health\.backlogAge must be a duration between 1s and 30d/);
  });

  it('is missed where the bare class is imported, and so is the ledger', async () => {
    const bare = await createApp({ module: class Root {}, imports: [JobsObservabilityModule] }).catch(String);
    expect(bare).toContain('is imported bare. Use JobsObservabilityModule.forRoot()');
    expect(bare).toContain('Import ScheduledJobsModule.forRoot() as well');
  });

  it('refuses a listener that shall serve metrics which nobody keeps', () => {
    expect(() => JobsObservabilityModule.forRoot({ listen: { port: 0, metrics: true } })).toThrow(
      /there are no metrics/,
    );
  });
});
