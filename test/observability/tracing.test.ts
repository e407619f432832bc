import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SamplingDecision,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import type { INestApplication } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  BackgroundJob,
  DuplicateExecutionError,
  JobsClient,
  PermanentError,
  ScheduledJob,
  Scheduler,
  type JobRun,
} from 'nestjs-scheduled-jobs';
import { JobsObservabilityModule } from 'nestjs-scheduled-jobs/observability';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule, nextEvent } from '../support/jobs-app.js';

/** What the handler saw last. */
let inside: Span | undefined;
/** What the sampler says. */
let decision = SamplingDecision.RECORD_AND_SAMPLED;

class Mill {
  @BackgroundJob({ name: 'grind' })
  async grind(run: JobRun<unknown>): Promise<void> {
    inside = trace.getActiveSpan();
    trace.getTracer('of the host').startSpan('work inside').end();
    if (run.payload === 'broken') throw new PermanentError('no corn for password=hunter2hunter2');
  }

  @ScheduledJob('0 0 * * *', { name: 'daily', timeZone: 'UTC', catchUp: { window: '9d' }, overlap: 'allow' })
  async daily(): Promise<void> {}

  @BackgroundJob({ name: 'once', duplicates: 'reject' })
  async once(): Promise<void> {}
}

const exporter = new InMemorySpanExporter();
const schema = freshSchema();
let database: TestDatabase;
let app: INestApplication;
let jobs: JobsClient;

beforeAll(async () => {
  database = await createDatabase();
  app = await createApp(
    jobsModule({
      url: database.url,
      providers: [Mill],
      imports: [JobsObservabilityModule.forRoot({ tracing: true })],
      jobs: { schema, scheduler: false },
    }),
  );
  await app.listen(0, '127.0.0.1');
  jobs = app.get(JobsClient);
});
afterEach(() => exporter.reset());
afterAll(async () => {
  await app.close();
  await database.drop();
});

const spans = (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);

/** Enqueues and waits for the end of that execution, and of its span. */
async function grind(payload: unknown): Promise<string> {
  const ended = nextEvent(app, 'execution.ended');
  const { execution } = await jobs.enqueue('grind', payload);
  await ended;
  return execution!.executionId;
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

/** The spans that the runs of a job are linked to. */
const linksOfRuns = (job: string) =>
  spans(`run ${job}`).map(({ links }) => links.map(({ context: { spanId } }) => spanId));

/** Resolves when so many executions of a job have ended, and their spans. */
async function endsOf(job: string, count: number): Promise<void> {
  let left = count;
  await nextEvent(app, 'execution.ended', (event) => 'job' in event && event.job === job && --left === 0);
}

const storedTraceParent = async (executionId: string): Promise<unknown> => {
  const text = `select trace_parent from ${schema}.executions where id = $1`;
  const [row] = await app.get(DataSource).query<{ trace_parent: unknown }[]>(text, [executionId]);
  return row?.trace_parent;
};

describe('without a provider', () => {
  it('nothing is recorded and nothing is stored', async () => {
    expect(await storedTraceParent(await grind('corn'))).toBeNull();
    expect(inside).toBeUndefined();
  });
});

describe('tracing', () => {
  // As an application does at its start. A tracer keeps the first provider that it meets.
  beforeAll(() => {
    const spanProcessors = [new SimpleSpanProcessor(exporter)];
    new NodeTracerProvider({ spanProcessors, sampler: { shouldSample: () => ({ decision }) } }).register();
  });
  afterAll(() => {
    for (const api of [trace, context, propagation]) api.disable();
  });

  it('links a run, a trace of its own, to the span of its enqueue', async () => {
    const executionId = await grind('corn');
    const [enqueue] = spans('enqueue grind');
    const [run] = spans('run grind');
    expect(enqueue?.kind).toBe(SpanKind.PRODUCER);
    expect(run?.kind).toBe(SpanKind.CONSUMER);
    expect(run?.parentSpanContext).toBeUndefined();
    expect(run?.spanContext().traceId).not.toBe(enqueue?.spanContext().traceId);
    expect(run?.links.map((link) => link.context)).toMatchObject([
      { traceId: enqueue?.spanContext().traceId, spanId: enqueue?.spanContext().spanId },
    ]);
    expect(run?.attributes).toMatchObject({
      'messaging.system': 'nestjs-scheduled-jobs',
      'messaging.operation.name': 'run',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'grind',
      'messaging.message.id': executionId,
      'scheduled_jobs.attempt': 1,
    });
  });

  it('lets what the handler does take part in the span of its run', async () => {
    await grind('corn');
    const [run] = spans('run grind');
    expect(inside?.spanContext().spanId).toBe(run?.spanContext().spanId);
    expect(spans('work inside')[0]?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
  });

  it('makes the span of an enqueue a part of the request that asked for it', async () => {
    await trace.getTracer('of the host').startActiveSpan('POST /orders', async (request) => {
      await grind('corn');
      request.end();
    });
    const [request] = spans('POST /orders');
    expect(spans('enqueue grind')[0]?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(spans('run grind')[0]?.parentSpanContext).toBeUndefined();
  });

  it('keeps ids with the execution, and neither state nor baggage', async () => {
    const secret = propagation.createBaggage({ token: { value: 'hunter2' } });
    const executionId = await context.with(propagation.setBaggage(ROOT_CONTEXT, secret), () => grind('corn'));
    const { traceId, spanId } = spans('enqueue grind')[0]!.spanContext();
    expect(await storedTraceParent(executionId)).toBe(`00-${traceId}-${spanId}-01`);
  });

  it('marks the span of a failed run, without secrets', async () => {
    await grind('broken');
    const [run] = spans('run grind');
    expect(run?.status.code).toBe(SpanStatusCode.ERROR);
    expect(run?.attributes['error.type']).toBe('PermanentError');
    expect(run?.events.map(({ name }) => name)).toEqual(['exception']);
    expect(JSON.stringify([run?.status, run?.events, run?.attributes])).not.toContain('hunter2');
  });

  it('marks the span of a refused enqueue', async () => {
    const twice = [{ key: 'a' }, { key: 'a' }];
    await expect(jobs.enqueueMany('once', twice)).rejects.toThrow(DuplicateExecutionError);
    const [enqueue] = spans('enqueue once');
    expect(enqueue?.status.code).toBe(SpanStatusCode.ERROR);
    expect(enqueue?.attributes['messaging.batch.message_count']).toBe(2);
  });

  it('links what a catch-up makes to one span of its tick, and makes none for a tick that makes nothing', async () => {
    const [cursorAt, nextAt] = [daysAgo(3), daysAgo(2)];
    const sql = `update ${schema}.schedules set cursor_at = $1, next_at = $2`;
    await app.get(DataSource).query(sql, [cursorAt, nextAt]);
    const ended = endsOf('daily', 3);
    await app.get(Scheduler).runOnce();
    await ended;
    const [tick, ...others] = spans('tick');
    expect(others).toEqual([]);
    expect(tick?.kind).toBe(SpanKind.PRODUCER);
    expect(tick?.parentSpanContext).toBeUndefined();
    expect(tick?.attributes).toMatchObject({ 'messaging.operation.type': 'send', 'messaging.batch.message_count': 3 });
    expect(linksOfRuns('daily')).toEqual(Array.from({ length: 3 }, () => [tick?.spanContext().spanId]));
    await app.get(Scheduler).runOnce();
    expect(spans('tick')).toHaveLength(1);
  });

  it('links what a backfill makes to its one span, which is a part of the request', async () => {
    const ended = endsOf('daily', 2);
    await jobs.backfill('daily', { from: daysAgo(22), to: daysAgo(20), actor: 'ann', reason: 'a test' });
    await ended;
    const [made, ...others] = spans('backfill daily');
    expect(others).toEqual([]);
    expect(made?.attributes['messaging.batch.message_count']).toBe(2);
    expect(linksOfRuns('daily')).toEqual([[made?.spanContext().spanId], [made?.spanContext().spanId]]);
  });

  it('has spans for triggers, and for claims that brought something', async () => {
    const ended = nextEvent(app, 'execution.ended');
    await jobs.trigger('grind', { actor: 'ann' });
    await ended;
    expect(spans('trigger grind')).toHaveLength(1);
    expect(spans('run grind')[0]?.links).toHaveLength(1);
    expect(spans('claim')[0]?.attributes).toMatchObject({
      'messaging.operation.type': 'receive',
      'messaging.batch.message_count': 1,
    });
  });

  it('stores nothing of what the sampler leaves out', async () => {
    decision = SamplingDecision.NOT_RECORD;
    expect(await storedTraceParent(await grind('corn'))).toBeNull();
    expect(exporter.getFinishedSpans()).toEqual([]);
    decision = SamplingDecision.RECORD_AND_SAMPLED;
  });
});
