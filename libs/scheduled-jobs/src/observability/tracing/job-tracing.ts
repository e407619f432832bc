import type { Attributes, Link, Span, SpanContext } from '@opentelemetry/api';
import { cutText } from '../../core/execution/bounded-text.js';
import type { EngineEvent } from '../../core/events/engine-event.js';
import type { TickSpan, TickTracer } from '../../core/ports/tick-tracer.js';
import { storeError } from '../../core/execution/stored-error.js';
import type { EnqueueTracer, TracedEnqueue } from '../../nest/client/enqueue-tracer.js';
import { JobHandlerDecorator, type JobHandler } from '../../nest/jobs/job-handler-decorator.js';
import type { JobRun } from '../../nest/jobs/job-run.js';
import { packageVersion } from '../../nest/package-version.js';
import { LiveTickSpan } from './live-tick-span.js';

type Api = typeof import('@opentelemetry/api');

const SYSTEM = 'nestjs-scheduled-jobs';
const MAX_STATUS_BYTES = 1_000;
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Spans around enqueues, ticks, claims and runs, named by the conventions for messaging: a job is the destination, an
 * execution the message. Without a provider the API of OpenTelemetry does nothing, and nothing is stored.
 *
 * A run begins a trace of its own, because it may come hours after its enqueue and once per attempt, and links to the span
 * of the enqueue, the tick or the backfill that made its execution. For that the execution carries ids, and nothing else of the context: no state, no baggage.
 */
export class JobTracing implements EnqueueTracer, TickTracer {
  private readonly tracer;

  constructor(private readonly api: Api) {
    this.tracer = api.trace.getTracer(SYSTEM, packageVersion());
  }

  trace<T>({ operation, job, count }: TracedEnqueue, insert: (traceParent: string | null) => Promise<T>): Promise<T> {
    const attributes = {
      ...about(operation, 'send', job),
      ...(count === 1 ? {} : { 'messaging.batch.message_count': count }),
    };
    const options = { kind: this.api.SpanKind.PRODUCER, attributes };
    return this.tracer.startActiveSpan(`${operation} ${job}`, options, (span) =>
      this.within(span, () => insert(this.traceParentOf(span))),
    );
  }

  /** A span around one call of a handler, in which everything it does takes part. */
  run(run: JobRun<unknown>, handler: JobHandler): Promise<unknown> {
    const options = {
      kind: this.api.SpanKind.CONSUMER,
      root: true,
      links: linksTo(run.traceParent),
      attributes: {
        ...about('run', 'process', run.jobName),
        'messaging.message.id': run.executionId,
        'scheduled_jobs.key': run.key,
        'scheduled_jobs.attempt': run.attempt,
        'scheduled_jobs.trigger': run.trigger,
      },
    };
    return this.tracer.startActiveSpan(`run ${run.jobName}`, options, (span) => this.within(span, () => handler(run)));
  }

  tick(): TickSpan {
    const { PRODUCER: kind } = this.api.SpanKind;
    const options = { kind, root: true, attributes: about('tick', 'send') };
    return new LiveTickSpan({
      begin: (startTime) => this.tracer.startSpan('tick', { ...options, startTime }),
      traceParentOf: (span) => this.traceParentOf(span),
      markFailed: (span, error) => this.fail(span, error),
    });
  }

  /** Spans of claims that brought something. */
  observe(event: EngineEvent): void {
    if (event.type !== 'executions.claimed') return;
    const endTime = Date.now();
    this.tracer
      .startSpan('claim', {
        kind: this.api.SpanKind.CLIENT,
        attributes: { ...about('claim', 'receive'), 'messaging.batch.message_count': event.count },
        root: true,
        startTime: endTime - event.durationMs,
      })
      .end(endTime);
  }

  private async within<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** As the ledger would keep it: bounded, and without secrets. */
  private fail(span: Span, error: unknown): void {
    if (!span.isRecording()) return;
    const { errorClass, message, stack } = storeError(error);
    span.recordException({ name: errorClass, message, ...(stack === null ? {} : { stack }) });
    span.setAttribute('error.type', errorClass);
    span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: cutText(message, MAX_STATUS_BYTES) });
  }

  /** Null = it is not recorded, so that a link would lead nowhere. */
  private traceParentOf(span: Span): string | null {
    const { traceId, spanId, traceFlags } = span.spanContext();
    if (!span.isRecording() || (traceFlags & this.api.TraceFlags.SAMPLED) === 0) return null;
    const traceParent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    return TRACE_PARENT.test(traceParent) ? traceParent : null;
  }
}

/** Puts a span around each run. */
export class TracedHandlers extends JobHandlerDecorator {
  /** @param tracing Null = it is off. */
  constructor(private readonly tracing: JobTracing | null) {
    super();
  }

  override decorate(handler: JobHandler): JobHandler {
    const { tracing } = this;
    if (tracing === null) return handler;
    return (run) => tracing.run(run, handler);
  }
}

const about = (name: string, type: 'send' | 'receive' | 'process', job?: string): Attributes => ({
  'messaging.system': SYSTEM,
  'messaging.operation.name': name,
  'messaging.operation.type': type,
  ...(job === undefined ? {} : { 'messaging.destination.name': job }),
});

function linksTo(traceParent: string | null): Link[] {
  const [, traceId = '', spanId = '', flags = ''] = TRACE_PARENT.exec(traceParent ?? '') ?? [];
  if (traceId === '') return [];
  const context: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return [{ context }];
}
