// What watching stands on: it harms nothing, tells strangers nothing, and stores no more than it must.

const HEALTH = 'test/observability/health.test.ts';
const METRICS = 'test/observability/metrics.test.ts';
const TRACING = 'test/observability/tracing.test.ts';
const ENDS = 'test/postgres/ended-events.test.ts';

/** @type {readonly import('./guards.mjs').Guard[]} */
export const OBSERVABILITY_GUARDS = [
  {
    promise: 'a backlog takes no process away',
    file: 'observability/health/jobs-health.ts',
    line: "{ status: 'degraded', reasons }",
    instead: "{ status: 'down', reasons }",
    test: HEALTH,
    name: 'has the level degraded by the limits that the options set',
  },
  {
    promise: 'a probe names no queue to strangers',
    file: 'observability/probe-answers.ts',
    line: 'reasons: kinds }',
    instead: 'reasons: reasons.map(({ text }) => text) }',
    test: HEALTH,
    name: 'is degraded, not down, by a backlog that nobody works on, and names no queue to strangers',
  },
  {
    promise: 'a process that makes one pass listens nowhere',
    file: 'observability/jobs-observability.module.ts',
    line: 'isOnePass ? null : listen',
    instead: 'listen',
    test: HEALTH,
    name: 'does not listen in a process that makes one pass',
  },
  {
    promise: 'metrics are closed without guards',
    file: 'observability/observability-routes.ts',
    line: '[ClosedMetricsGuard]',
    instead: '[]',
    test: METRICS,
    name: 'is closed without guards, says why, and is not there without metrics',
  },
  {
    promise: 'a gauge that cannot be read is absent',
    file: 'observability/metrics/ledger-metrics.ts',
    line: 'if (labelNames.length === 0) this.remove(); // it would say 0',
    test: METRICS,
    name: 'leave out what cannot be read while the database is away, and say so',
  },
  {
    promise: 'a counter of failures begins with 0',
    file: 'observability/metrics/event-metrics.ts',
    line: "this.ended.inc({ job_name, state: 'failed' }, 0);",
    test: METRICS,
    name: 'count what this process does, by the events of the engine',
  },
  {
    promise: 'a silent database holds up no probe',
    file: 'observability/health/jobs-health.ts',
    line: 'inTime(PATIENCE_MS, this.checks.get())',
    instead: 'this.checks.get()',
    test: HEALTH,
    name: 'A silent database holds up neither a probe nor a scrape',
  },
  {
    promise: 'a slow database is asked once',
    file: 'observability/cached.ts',
    line: 'this.expiresMs = Number.POSITIVE_INFINITY;',
    test: 'libs/scheduled-jobs/src/observability/cached.test.ts',
    name: 'is read once for all who ask meanwhile, however long that takes',
  },
  {
    promise: 'nothing is stored of a span that is not sampled',
    file: 'observability/tracing/job-tracing.ts',
    line: 'if (!span.isRecording() || (traceFlags & this.api.TraceFlags.SAMPLED) === 0) return null;',
    test: TRACING,
    name: 'stores nothing of what the sampler leaves out',
  },
  {
    promise: 'a span holds no secret of an error',
    file: 'observability/tracing/job-tracing.ts',
    line: 'storeError(error)',
    instead: '{ errorClass: (error as Error).name, message: (error as Error).message, stack: null }',
    test: TRACING,
    name: 'marks the span of a failed run, without secrets',
  },
  {
    promise: 'an end by an overlap policy is counted',
    file: 'postgres/admission.ts',
    line: 'tellEnds(this.emit, turn.ended);',
    test: ENDS,
    name: 'by the overlap policy',
  },
  {
    promise: 'an end by a deadline is counted in a gated queue',
    file: 'postgres/work-claims.ts',
    line: 'tellEnds(this.emit, ended);',
    test: ENDS,
    name: 'by their deadline: skipped what never started, failed what did',
  },
  {
    promise: 'an end at birth is counted',
    file: 'postgres/schedule/schedule-store.ts',
    line: 'tellEnds(this.emit, ended);',
    test: ENDS,
    name: 'at their birth, by a tick and by a backfill',
  },
  {
    promise: 'what runs has not ended when it is asked to stop',
    file: 'postgres/tell-ends.ts',
    line: "done === 'canceled' ?",
    instead: 'true ?',
    test: ENDS,
    name: 'by a cancel of what waits, and not of what runs',
  },
  {
    promise: 'an end of what is handed back is counted',
    file: 'engine/worker.ts',
    line: "this.emit({ type: 'execution.ended', executionId, key, job, attempt, state });",
    test: 'test/engine/cancel.test.ts',
    name: 'ends it when the worker hands it back',
  },
  {
    promise: 'a tick that plans nothing has no span, and one that plans has one',
    file: 'observability/tracing/live-tick-span.ts',
    line: 'this.span ??= this.parts',
    instead: 'this.span = this.parts',
    test: 'libs/scheduled-jobs/src/observability/tracing/live-tick-span.test.ts',
    name: 'begins once, with the first execution that is planned',
  },
  {
    promise: 'a run is linked to its tick',
    file: 'engine/scheduler.ts',
    line: '{ ...execution, traceParent }',
    instead: 'execution',
    test: TRACING,
    name: 'links what a catch-up makes to one span of its tick',
  },
];
