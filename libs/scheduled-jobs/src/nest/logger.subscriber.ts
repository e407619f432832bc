import { Injectable, Logger } from '@nestjs/common';
import { alertText } from '../core/alert/alert-text.js';
import { durationText } from '../core/duration.js';
import type { EngineEvent } from '../core/events/engine-event.js';
import { EngineEvents } from './services/engine-events.js';
import { errorStack, errorText } from './loggable-error.js';

const SHOWN_JOBS = 20;

type EventOf<Type extends EngineEvent['type']> = Extract<EngineEvent, { readonly type: Type }>;

/** Turns events into log lines: debug = routine, log = lifecycle, warn = retried or rescued, error = lost for good. */
@Injectable()
export class LoggerSubscriber {
  private readonly logger = new Logger('ScheduledJobs');
  /** Of the attempt that finished last: the end of its execution follows at once. */
  private lastError: { readonly executionId: string; readonly error: unknown } | null = null;

  constructor(events: EngineEvents) {
    events.subscribe((event) => this.write(event));
  }

  private write(event: EngineEvent): void {
    switch (event.type) {
      case 'schedule.ticked':
        return this.ticked(event);
      case 'schedule.failed':
        return this.logger.error(
          `The schedule of "${event.job}" stands still: ${errorText(event.error)}`,
          errorStack(event.error),
        );
      case 'schedule.registered':
        return this.registered(event);
      case 'schedule.orphaned':
        return this.logger.warn(
          `No instance carries the schedule "${event.job}" any more: it stands still until one does`,
        );
      case 'job.unhandled':
        return this.logger.warn(`No live worker handles the job "${event.job}" any more: its executions wait for one`);
      case 'executions.enqueued':
      case 'executions.pruned':
      case 'executions.claimed':
      case 'executions.ended':
        return this.debug(batchText, event);
      case 'attempt.started':
        return this.debug(startedText, event);
      case 'attempt.finished':
        return this.finished(event);
      case 'execution.ended':
        return this.ended(event);
      case 'execution.retrying':
        return this.logger.warn(
          `${who(event)} runs again ${event.runAt === null ? 'at once' : `at ${event.runAt.toISOString()}`}`,
        );
      case 'lease.lost':
        return this.logger.warn(`${who(event)} lost its lease: nothing it writes counts any more`);
      case 'loop.blocked':
        return this.loopBlocked(event);
      case 'attempt.abandoned':
        return this.logger.error(
          `${who(event)} did not stop within ${durationText(event.abortGraceMs)} and goes on without its lease`,
        );
      case 'breaker.opened':
      case 'breaker.closed':
      case 'alert.raised':
      case 'alert.closed':
        return this.writeWatched(event);
      default:
        return this.writeService(event);
    }
  }

  /** Most lines of a busy worker are routine: their texts are made only where somebody reads them. */
  private debug<Event>(text: (event: Event) => string, event: Event): void {
    if (Logger.isLevelEnabled('debug')) this.logger.debug(text(event));
  }

  private writeService(
    event: EventOf<
      | 'execution.rescued'
      | 'scheduler.started'
      | 'worker.started'
      | 'worker.draining'
      | 'worker.stopped'
      | 'listener.connected'
      | 'listener.lost'
      | 'service.failed'
      | 'configuration.warned'
    >,
  ): void {
    switch (event.type) {
      case 'execution.rescued':
        return this.rescued(event);
      case 'scheduler.started':
        return this.schedulerStarted(event);
      case 'worker.started':
        return this.workerStarted(event);
      case 'worker.draining':
        return this.logger.log(`Worker ${event.workerId} drains; ${event.running} execution(s) are running`);
      case 'worker.stopped':
        return this.logger.log(`Worker ${event.workerId} stopped`);
      case 'listener.connected':
        return this.logger.debug('Listens for hints');
      case 'listener.lost':
        return this.logger.warn(`Lost the connection for hints; polling goes on: ${errorText(event.error)}`);
      case 'service.failed':
        return this.logger.error(
          `${event.service} failed and tries again in ${event.retryInMs} ms: ${errorText(event.error)}`,
          errorStack(event.error),
        );
      case 'configuration.warned':
        return this.logger.warn(event.message);
    }
  }

  private writeWatched(event: EventOf<'breaker.opened' | 'breaker.closed' | 'alert.raised' | 'alert.closed'>): void {
    switch (event.type) {
      case 'breaker.opened':
        return this.logger.warn(
          `The queue "${event.queue}" rests until ${event.until?.toISOString()}: ${event.failures} of ${event.calls} call(s) failed`,
        );
      case 'breaker.closed':
        return this.logger.log(`The queue "${event.queue}" runs again: its probes succeeded`);
      case 'alert.raised':
        return this.logger.warn(`Alert ${event.alert.alertId}: ${alertText(event.alert)}`);
      case 'alert.closed':
        return this.logger.log(`The alert ${event.kind} of "${event.subject}" is over`);
    }
  }

  private registered({ job, change, version, takenOver = [] }: EventOf<'schedule.registered'>): void {
    if (change === 'left') {
      return this.logger.warn(
        `This process carries an older definition of "${job}"; version ${version} stays in force while instances with it are alive`,
      );
    }
    const from = takenOver.length === 0 ? '' : ` from ${takenOver.map((name) => `"${name}"`).join(' and ')}`;
    const line = `The schedule "${job}" is ${change}${from}: version ${version} is in force`;
    // The first start of an application adds all of its schedules.
    if (change === 'added') this.logger.debug(line);
    else this.logger.log(line);
  }

  private ticked({ inserted, skipped, durationMs }: EventOf<'schedule.ticked'>): void {
    if (inserted + skipped > 0)
      this.logger.debug(`Added ${inserted} execution(s), skipped ${skipped}, in ${durationMs} ms`);
  }

  private finished(event: EventOf<'attempt.finished'>): void {
    this.lastError = null;
    // A handler may have thrown undefined or null.
    if (event.errorKind !== null || (event.error !== null && event.error !== undefined)) {
      this.lastError = { executionId: event.executionId, error: event.error };
      this.logger.warn(`${finishedText(event)}: ${errorText(event.error)}`, ...stackOf(event.error));
    } else if (event.outcome === 'completed_with_errors') this.logger.warn(finishedText(event));
    else this.debug(finishedText, event);
  }

  /** Only what the line of the last attempt has not said. */
  private ended(event: EventOf<'execution.ended'>): void {
    if (event.state !== 'failed' && event.state !== 'skipped') return;
    const line = `${who(event)} ended ${event.state}`;
    if (event.state === 'skipped') return this.logger.debug(line);
    if (this.lastError?.executionId !== event.executionId) return this.logger.error(line);
    this.logger.error(`${line}: ${errorText(this.lastError.error)}`, ...stackOf(this.lastError.error));
  }

  private workerStarted({ workerId, jobs }: EventOf<'worker.started'>): void {
    this.logger.log(`Worker ${workerId} started; ${jobs.length} job(s): ${shownNames(jobs)}`);
  }

  private schedulerStarted({ schedules, nextAt }: EventOf<'scheduler.started'>): void {
    const next = nextAt === null ? 'none is due any more' : `the next is due at ${nextAt.toISOString()}`;
    this.logger.log(`Scheduler started; ${schedules} schedule(s), ${next}`);
  }

  private loopBlocked({ delayMs, jobs, renewed, expired }: EventOf<'loop.blocked'>): void {
    const running = jobs.length === 0 ? 'no job was running' : `running were ${shownNames(jobs)}`;
    const ranOut = expired === 0 ? '' : `, ${expired} ran out: what they cover may run again elsewhere`;
    this.logger.warn(
      `The event loop was blocked: it turned ${delayMs} ms late; ${running}. The keeper thread renewed ${renewed} lease(s)${ranOut}. Move long computations to a worker thread, or give way in between.`,
    );
  }

  private rescued({ executionId, ending, workerId }: EventOf<'execution.rescued'>): void {
    const line = `Execution ${executionId} was taken over from ${workerId ?? 'a worker'}, whose lease ran out`;
    if (ending === null) this.logger.warn(`${line}; it runs again`);
    else this.logger.error(`${line}; it ended ${ending}`);
  }
}

function batchText(
  event: EventOf<'executions.enqueued' | 'executions.pruned' | 'executions.claimed' | 'executions.ended'>,
): string {
  switch (event.type) {
    case 'executions.enqueued':
      return `Enqueued ${event.created} execution(s) of "${event.job}"; ${event.duplicates} key(s) were used before`;
    case 'executions.pruned':
      return `Removed ${event.count} old execution(s) of "${event.job}"`;
    case 'executions.claimed':
      return `Claimed ${event.count} in ${event.durationMs} ms`;
    case 'executions.ended':
      return `${event.count} execution(s) of "${event.job}" ended beside any attempt: ${event.state}`;
  }
}

const startedText = (event: EventOf<'attempt.started'>): string =>
  `${who(event)} started, ${event.startDelayMs} ms after its scheduled time`;

const finishedText = (event: EventOf<'attempt.finished'>): string =>
  `${who(event)} ${event.outcome} after ${event.durationMs} ms`;

function shownNames(jobs: readonly string[]): string {
  const more = jobs.length > SHOWN_JOBS ? ` and ${jobs.length - SHOWN_JOBS} more` : '';
  return `${jobs.slice(0, SHOWN_JOBS).join(', ')}${more}`;
}

// Without a stack nothing may be passed: Nest would print it.
const stackOf = (error: unknown): readonly [] | readonly [string] => {
  const stack = errorStack(error);
  return stack === undefined ? [] : [stack];
};

const who = ({ executionId, key, attempt }: { executionId: string; key: string; attempt: number }): string =>
  `${key} (execution ${executionId}, attempt ${attempt})`;
