import type { Counter, Histogram, Registry } from 'prom-client';
import type { EngineEvent } from '../../core/events/engine-event.js';
import { SECOND_MS } from '../../core/duration.js';

type PromClient = typeof import('prom-client');

const DURATION_BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];
const DELAY_BUCKETS = [0.05, 0.25, 1, 5, 15, 60, 300, 900, 3_600, 14_400];
const STATEMENT_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/**
 * What this process has done, counted from the events of the engine. Labels are names of jobs and states, never keys, ids or
 * texts; a job is `job_name`, because Prometheus keeps `job` and `service` for what it scrapes.
 */
export class EventMetrics {
  private readonly enqueued;
  private readonly duplicates;
  private readonly ticked;
  private readonly attempts;
  private readonly ended;
  private readonly retries;
  private readonly lostLeases;
  private readonly rescued;
  private readonly serviceFailures;
  private readonly blockedLoop;
  private readonly attemptSeconds;
  private readonly startDelaySeconds;
  private readonly tickSeconds;
  private readonly claimSeconds;

  constructor({ Counter, Histogram }: PromClient, registry: Registry) {
    const registers = [registry];
    const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
      new Counter({ name: `scheduled_jobs_${name}`, help, labelNames, registers });
    const histogram = <L extends string>(
      name: string,
      help: string,
      { buckets, labelNames = [] }: { readonly buckets: number[]; readonly labelNames?: readonly L[] },
    ): Histogram<L> => new Histogram({ name: `scheduled_jobs_${name}`, help, labelNames, buckets, registers });

    this.enqueued = counter('enqueued_total', 'Executions added by enqueue or trigger.', ['job_name']);
    this.duplicates = counter('duplicates_total', 'Enqueues and triggers whose key was used before.', ['job_name']);
    this.ticked = counter('ticked_total', 'Executions that ticks added, by how they were born.', ['result']);
    this.attempts = counter('attempts_total', 'Attempts that have finished, by outcome.', ['job_name', 'outcome']);
    this.ended = counter('ended_total', 'Executions whose end this process recorded, by final state.', [
      'job_name',
      'state',
    ]);
    this.retries = counter('retries_total', 'Attempts that are followed by another one.', ['job_name']);
    this.lostLeases = counter('lost_leases_total', 'Leases that this process has lost.', ['job_name']);
    this.rescued = counter('rescued_total', 'Executions taken over from workers whose leases ran out.');
    this.serviceFailures = counter('service_failures_total', 'Failed turns of the engine, by component.', [
      'component',
    ]);
    this.blockedLoop = counter('blocked_loop_seconds_total', 'How much too late the event loop turned, in sum.');
    this.attemptSeconds = histogram('attempt_duration_seconds', 'How long attempts took.', {
      buckets: DURATION_BUCKETS,
      labelNames: ['job_name'],
    });
    this.startDelaySeconds = histogram('start_delay_seconds', 'From the scheduled time to the first attempt.', {
      buckets: DELAY_BUCKETS,
      labelNames: ['job_name'],
    });
    this.tickSeconds = histogram('tick_duration_seconds', 'How long ticks took.', { buckets: STATEMENT_BUCKETS });
    this.claimSeconds = histogram('claim_duration_seconds', 'How long claims took that brought work.', {
      buckets: STATEMENT_BUCKETS,
    });
  }

  count(event: EngineEvent): void {
    switch (event.type) {
      case 'executions.enqueued':
        this.enqueued.inc({ job_name: event.job }, event.created);
        return this.duplicates.inc({ job_name: event.job }, event.duplicates);
      case 'schedule.ticked':
        this.ticked.inc({ result: 'inserted' }, event.inserted);
        this.ticked.inc({ result: 'skipped' }, event.skipped);
        return this.tickSeconds.observe(event.durationMs / SECOND_MS);
      case 'executions.ended':
        return this.ended.inc({ job_name: event.job, state: event.state }, event.count);
      case 'executions.claimed':
        return this.claimSeconds.observe(event.durationMs / SECOND_MS);
      case 'worker.started':
        return this.begin(event.jobs);
      case 'loop.blocked':
        return this.blockedLoop.inc(event.delayMs / SECOND_MS);
      case 'service.failed':
        return this.serviceFailures.inc({ component: event.service });
      default:
        return this.countExecution(event);
    }
  }

  /** A counter that appears with its first event has no increase that a rule could see. */
  private begin(jobs: readonly string[]): void {
    for (const job_name of jobs) {
      this.ended.inc({ job_name, state: 'failed' }, 0);
      this.attempts.inc({ job_name, outcome: 'failed' }, 0);
      this.lostLeases.inc({ job_name }, 0);
    }
  }

  private countExecution(event: EngineEvent): void {
    switch (event.type) {
      case 'attempt.started':
        // A later attempt is late by what the retry policy says.
        if (event.attempt !== 1) return;
        return this.startDelaySeconds.observe({ job_name: event.job }, Math.max(event.startDelayMs, 0) / SECOND_MS);
      case 'attempt.finished':
        this.attempts.inc({ job_name: event.job, outcome: event.outcome });
        return this.attemptSeconds.observe({ job_name: event.job }, event.durationMs / SECOND_MS);
      case 'execution.ended':
        return this.ended.inc({ job_name: event.job, state: event.state });
      case 'execution.retrying':
        return this.retries.inc({ job_name: event.job });
      case 'lease.lost':
        return this.lostLeases.inc({ job_name: event.job });
      case 'execution.rescued':
        return this.rescued.inc();
      default:
    }
  }
}
