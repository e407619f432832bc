import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineEvent } from '../core/events/engine-event.js';
import { EngineEvents } from './services/engine-events.js';
import { LoggerSubscriber } from './logger.subscriber.js';

// Which levels are on is a setting of the whole process.
beforeEach(() => void vi.spyOn(Logger, 'isLevelEnabled').mockReturnValue(true));
afterEach(() => {
  vi.restoreAllMocks();
});

const firstLine = (stack: unknown): string => String(stack).split('\n', 1)[0] ?? '';

describe('the log', () => {
  it('has a line of its level for every event, with the execution it is about', () => {
    const engine = new EngineEvents();
    expect(new LoggerSubscriber(engine)).toBeDefined();
    const lines: string[] = [];
    for (const level of ['debug', 'log', 'warn', 'error'] as const) {
      vi.spyOn(Logger.prototype, level).mockImplementation(
        (line: unknown, ...stack: readonly unknown[]) =>
          void lines.push([`${level}: ${String(line)}`, ...stack.map(firstLine)].join(' | ')),
      );
    }
    const of = { executionId: '7', key: 'mail:k', job: 'mail', attempt: 2 };
    const bare = Object.create(null) as object;
    const error = new RangeError('no shelf at postgres://me:hush@db');
    const many = Array.from({ length: 22 }, (_, index) => `job-${index + 1}`);
    const events: readonly EngineEvent[] = [
      { type: 'schedule.ticked', inserted: 0, skipped: 0, durationMs: 3 },
      { type: 'schedule.ticked', inserted: 2, skipped: 1, durationMs: 3 },
      { type: 'schedule.failed', job: 'daily', error: new Error('no calendar') },
      { type: 'schedule.registered', job: 'daily', change: 'added', version: 1 },
      { type: 'schedule.registered', job: 'daily', change: 'changed', version: 2 },
      { type: 'schedule.registered', job: 'daily', change: 'renamed', version: 2, takenOver: ['report'] },
      { type: 'schedule.registered', job: 'daily', change: 'left', version: 3 },
      { type: 'executions.claimed', count: 3, durationMs: 4 },
      { type: 'attempt.started', ...of, startDelayMs: 5 },
      { type: 'attempt.finished', ...of, outcome: 'succeeded', durationMs: 6, error: null, errorKind: null },
      { type: 'attempt.finished', ...of, outcome: 'failed', durationMs: 6, error: bare, errorKind: 'transient' },
      { type: 'attempt.finished', ...of, outcome: 'failed', durationMs: 6, error: undefined, errorKind: 'transient' },
      { type: 'attempt.finished', ...of, outcome: 'failed', durationMs: 6, error, errorKind: 'transient' },
      { type: 'execution.ended', ...of, state: 'failed' },
      { type: 'execution.ended', ...of, executionId: '8', state: 'failed' },
      { type: 'execution.ended', ...of, state: 'skipped' },
      { type: 'attempt.finished', ...of, outcome: 'succeeded', durationMs: 6, error: null, errorKind: null },
      { type: 'execution.ended', ...of, state: 'succeeded' },
      {
        type: 'attempt.finished',
        ...of,
        outcome: 'completed_with_errors',
        durationMs: 6,
        error: null,
        errorKind: null,
      },
      { type: 'execution.ended', ...of, state: 'completed_with_errors' },
      { type: 'execution.retrying', ...of, runAt: new Date(0) },
      { type: 'execution.retrying', ...of, runAt: null },
      { type: 'lease.lost', ...of },
      { type: 'loop.blocked', delayMs: 12_345, jobs: ['mail', 'pdf'], renewed: 2, expired: 0 },
      { type: 'loop.blocked', delayMs: 400_000, jobs: [], renewed: 0, expired: 1 },
      { type: 'attempt.abandoned', ...of, abortGraceMs: 7 },
      { type: 'execution.rescued', executionId: '7', ending: null, workerId: 'w' },
      { type: 'execution.rescued', executionId: '7', ending: 'failed', workerId: null },
      { type: 'breaker.opened', queue: 'api', until: new Date(0), calls: 10, failures: 6 },
      { type: 'breaker.closed', queue: 'api', until: null, calls: 1, failures: 0 },
      { type: 'scheduler.started', schedules: 2, nextAt: new Date(0) },
      { type: 'scheduler.started', schedules: 1, nextAt: null },
      { type: 'worker.started', workerId: 'w', jobs: ['mail', 'post'] },
      { type: 'worker.started', workerId: 'w', jobs: many },
      { type: 'worker.draining', workerId: 'w', running: 2 },
      { type: 'worker.stopped', workerId: 'w' },
      { type: 'listener.connected' },
      { type: 'listener.lost', error: new Error('postgres://me:hush@db') },
      { type: 'service.failed', service: 'scheduler', error: new Error('down'), retryInMs: 100 },
      { type: 'configuration.warned', message: 'take care' },
    ];
    for (const event of events) engine.emit(event);
    expect(lines).toMatchInlineSnapshot(`
      [
        "debug: Added 2 execution(s), skipped 1, in 3 ms",
        "error: The schedule of "daily" stands still: Error: no calendar | Error: no calendar",
        "debug: The schedule "daily" is added: version 1 is in force",
        "log: The schedule "daily" is changed: version 2 is in force",
        "log: The schedule "daily" is renamed from "report": version 2 is in force",
        "warn: This process carries an older definition of "daily"; version 3 stays in force while instances with it are alive",
        "debug: Claimed 3 in 4 ms",
        "debug: mail:k (execution 7, attempt 2) started, 5 ms after its scheduled time",
        "debug: mail:k (execution 7, attempt 2) succeeded after 6 ms",
        "warn: mail:k (execution 7, attempt 2) failed after 6 ms: Object: {}",
        "warn: mail:k (execution 7, attempt 2) failed after 6 ms: undefined: undefined",
        "warn: mail:k (execution 7, attempt 2) failed after 6 ms: RangeError: no shelf at postgres://me:[redacted]@db | RangeError: no shelf at postgres://me:[redacted]@db",
        "error: mail:k (execution 7, attempt 2) ended failed: RangeError: no shelf at postgres://me:[redacted]@db | RangeError: no shelf at postgres://me:[redacted]@db",
        "error: mail:k (execution 8, attempt 2) ended failed",
        "debug: mail:k (execution 7, attempt 2) ended skipped",
        "debug: mail:k (execution 7, attempt 2) succeeded after 6 ms",
        "warn: mail:k (execution 7, attempt 2) completed_with_errors after 6 ms",
        "warn: mail:k (execution 7, attempt 2) runs again at 1970-01-01T00:00:00.000Z",
        "warn: mail:k (execution 7, attempt 2) runs again at once",
        "warn: mail:k (execution 7, attempt 2) lost its lease: nothing it writes counts any more",
        "warn: The event loop was blocked: it turned 12345 ms late; running were mail, pdf. The keeper thread renewed 2 lease(s). Move long computations to a worker thread, or give way in between.",
        "warn: The event loop was blocked: it turned 400000 ms late; no job was running. The keeper thread renewed 0 lease(s), 1 ran out: what they cover may run again elsewhere. Move long computations to a worker thread, or give way in between.",
        "error: mail:k (execution 7, attempt 2) did not stop within 7ms and goes on without its lease",
        "warn: Execution 7 was taken over from w, whose lease ran out; it runs again",
        "error: Execution 7 was taken over from a worker, whose lease ran out; it ended failed",
        "warn: The queue "api" rests until 1970-01-01T00:00:00.000Z: 6 of 10 call(s) failed",
        "log: The queue "api" runs again: its probes succeeded",
        "log: Scheduler started; 2 schedule(s), the next is due at 1970-01-01T00:00:00.000Z",
        "log: Scheduler started; 1 schedule(s), none is due any more",
        "log: Worker w started; 2 job(s): mail, post",
        "log: Worker w started; 22 job(s): job-1, job-2, job-3, job-4, job-5, job-6, job-7, job-8, job-9, job-10, job-11, job-12, job-13, job-14, job-15, job-16, job-17, job-18, job-19, job-20 and 2 more",
        "log: Worker w drains; 2 execution(s) are running",
        "log: Worker w stopped",
        "debug: Listens for hints",
        "warn: Lost the connection for hints; polling goes on: Error: postgres://me:[redacted]@db",
        "error: scheduler failed and tries again in 100 ms: Error: down | Error: down",
        "warn: take care",
      ]
    `);
  });
});
