import type { CatchUpPolicy } from '../../core/calendar/catch-up.js';
import type { FinalState } from '../../core/execution/execution-state.js';
import type { RetryPolicy } from '../../core/execution/retry-policy.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import type { JobRecord } from '../../core/ports/job-reader.js';
import { storedShape } from '../../core/schedule/stored-definition.js';
import type { JobCatalog } from '../../nest/jobs/job-catalog.js';

/** A job in the list. */
export interface JobAnswer extends Pick<
  JobRecord,
  'jobName' | 'scheduled' | 'renamedTo' | 'overlap' | 'runbook' | 'unhandledSince' | 'last' | 'deadLetters'
> {
  /** Of this application's code, else of its last execution; null = neither is there. */
  readonly queue: string | null;
  /** A live worker has its handler, or had it a moment ago. */
  readonly handled: boolean;
  /** Null = it is not paused. */
  readonly paused: JobRecord['pause'];
}

/** What `GET /jobs` answers. */
export interface JobListAnswer {
  readonly items: readonly JobAnswer[];
  /** There are more than 1,000 jobs. */
  readonly hasMore: boolean;
  /** There are more than 10,000 dead letters, and only the newest of them were counted. */
  readonly deadLettersCapped: boolean;
}

/** The options of a job as this application's code has them, durations in milliseconds. */
export interface JobOptionsAnswer extends Pick<
  JobDefinition,
  | 'aliases'
  | 'priority'
  | 'timeoutMs'
  | 'abortGraceMs'
  | 'heartbeatMs'
  | 'blockedLoopLimitMs'
  | 'transactional'
  | 'disabled'
  | 'duplicates'
> {
  /** Class and method, such as `ReportJobs.dailyReport`. */
  readonly place: string;
  readonly retry: RetryPolicy;
  /** Executions are grouped by a key of their payload. */
  readonly hasConcurrencyKey: boolean;
  /** Payloads are checked by the rules of a class. */
  readonly checksPayload: boolean;
  /** Null = a background job. */
  readonly schedule: {
    readonly expression: string;
    readonly timeZone: string;
    /** The options that shape occurrences and labels; functions as `custom`. */
    readonly shape: Readonly<Record<string, unknown>>;
    readonly catchUp: CatchUpPolicy;
    readonly startAt: Date | null;
  } | null;
}

/** One job with its options. */
export interface JobDetailAnswer
  extends JobAnswer, Pick<JobRecord, 'concurrency' | 'leaseMs' | 'deadlineMs' | 'startWithinMs'> {
  /** How long ended executions are kept, milliseconds; a state that is not named is kept for ever. */
  readonly retentionMs: Readonly<Partial<Record<FinalState, number>>>;
  /** Null = another application has the job. */
  readonly options: JobOptionsAnswer | null;
}

/** Jobs as readers see them: what the ledger knows, and what the code of this application says. */
export class JobView {
  constructor(private readonly catalog: JobCatalog) {}

  summary(job: JobRecord): JobAnswer {
    const { jobName, scheduled, renamedTo, overlap, runbook, unhandledSince, pause, last, deadLetters } = job;
    return {
      jobName,
      scheduled,
      renamedTo,
      queue: this.definition(jobName)?.queue ?? job.lastQueue,
      overlap,
      runbook,
      handled: unhandledSince === null,
      unhandledSince,
      paused: pause,
      last,
      deadLetters,
    };
  }

  detail(job: JobRecord): JobDetailAnswer {
    const { concurrency, leaseMs, deadlineMs, startWithinMs, retentionMs } = job;
    const definition = this.definition(job.jobName);
    return {
      ...this.summary(job),
      concurrency,
      leaseMs,
      deadlineMs,
      startWithinMs,
      retentionMs,
      options: definition === undefined ? null : optionsOf(definition),
    };
  }

  private definition(name: string): JobDefinition | undefined {
    return this.catalog.entries().get(name)?.definition;
  }
}

function optionsOf(definition: JobDefinition): JobOptionsAnswer {
  const { place, aliases, priority, retry, timeoutMs, abortGraceMs, heartbeatMs, blockedLoopLimitMs } = definition;
  return {
    place,
    aliases,
    priority,
    retry,
    timeoutMs,
    abortGraceMs,
    heartbeatMs,
    blockedLoopLimitMs,
    transactional: definition.transactional,
    disabled: definition.disabled,
    duplicates: definition.duplicates,
    hasConcurrencyKey: definition.concurrencyKey !== null,
    checksPayload: definition.payload !== null,
    schedule: scheduleOf(definition),
  };
}

function scheduleOf({ schedule, disabled }: JobDefinition): JobOptionsAnswer['schedule'] {
  if (schedule === null) return null;
  const { expression, definition, catchUp, startAt } = schedule;
  return { expression, timeZone: definition.timeZone, shape: storedShape(definition, disabled), catchUp, startAt };
}
