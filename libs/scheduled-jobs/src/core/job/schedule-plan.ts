import { planCatchUp, type PlannedOccurrence } from '../calendar/catch-up.js';
import { InvalidScheduleError } from '../errors.js';
import type { NewExecution } from '../execution/new-execution.js';
import type { DueSchedule, SchedulePlan } from '../ports/schedule-store.js';
import { concurrencyKeyOf } from './concurrency-key.js';
import { executionKey } from './execution-key.js';
import type { JobDefinition } from './job-definition.js';
import {
  versionStretches,
  type ParsedVersions,
  type ScheduledJobDefinition,
  type VersionStretch,
} from './version-stretches.js';
import { VersionedSchedule, type OccurrenceSource } from './versioned-schedule.js';

type Recorded = Omit<SchedulePlan, 'nextAt'>;

/** Occurrences that one tick records for one schedule. A paced stretch is planned as a whole, as far as possible. */
const BATCH_SIZE = 1_000;
const PACED_BATCH_SIZE = 10_000;

/**
 * Decides what a tick records for a due schedule. The answer depends on the stored versions, the cursor and `now` alone,
 * so every process with the same functions gives the same one, whatever expression its own code carries.
 */
export class SchedulePlanner {
  private readonly jobs: ReadonlyMap<string, ScheduledJobDefinition>;
  private readonly parsed: ParsedVersions = new Map();

  /** @param warn Is told about functions of a job that gave nothing usable. */
  constructor(
    definitions: readonly JobDefinition[],
    private readonly warn: (message: string) => void,
  ) {
    const scheduled = definitions.filter((job): job is ScheduledJobDefinition => job.schedule !== null);
    this.jobs = new Map(scheduled.map((job) => [job.name, job]));
  }

  get jobNames(): readonly string[] {
    return [...this.jobs.keys()];
  }

  /** @throws InvalidScheduleError when a stored version cannot be read here; what the job's own functions throw. */
  plan(due: DueSchedule): SchedulePlan {
    const { jobName, cursorAt, now } = due;
    const job = this.jobs.get(jobName);
    if (job === undefined) throw new InvalidScheduleError([`the job "${jobName}" has no schedule in this process`]);
    const stretches = versionStretches(job, due.versions, this.parsed);
    const whole = new VersionedSchedule(stretches);
    // Enabled and disabled stretches are recorded one per tick: the first in which something is due.
    for (const alike of runsOf(stretches)) {
      const schedule = new VersionedSchedule(alike);
      const first = schedule.next(cursorAt);
      if (first === null || first > now) continue;
      const recorded =
        alike[0]?.isDisabled === true ? planDisabled(schedule, due) : this.planEnabled(job, schedule, due);
      return { ...recorded, nextAt: whole.next(recorded.cursorAt) };
    }
    return { executions: [], skippedRanges: [], cursorAt, nextAt: whole.next(cursorAt) };
  }

  private planEnabled(
    job: ScheduledJobDefinition,
    schedule: OccurrenceSource,
    { cursorAt, now }: DueSchedule,
  ): Recorded {
    const { catchUp } = job.schedule;
    const batchSize = catchUp.maxPerMinute === null ? BATCH_SIZE : PACED_BATCH_SIZE;
    const plan = planCatchUp({ schedule, cursorAt, now, catchUp, batchSize });
    return {
      executions: plan.insert.map((occurrence) => this.execution(job, occurrence)),
      skippedRanges: plan.skippedRange === null ? [] : [{ ...plan.skippedRange, actor: null }],
      cursorAt: plan.cursorAt,
    };
  }

  private execution(job: ScheduledJobDefinition, occurrence: PlannedOccurrence): NewExecution {
    const { period, interval, scheduledFor, runAt, skip } = occurrence;
    return {
      jobName: job.name,
      key: executionKey(job.name, period),
      period,
      interval,
      scheduledFor,
      runAt,
      queue: job.queue,
      priority: job.priority,
      payload: null,
      concurrencyKey: concurrencyKeyOf(job, null, this.warn),
      maxAttempts: job.retry.maxAttempts,
      leaseMs: job.leaseMs,
      deadlineMs: job.retry.deadlineMs,
      trigger: 'schedule',
      actor: null,
      skip,
    };
  }
}

/** Neighbouring stretches that are all enabled or all disabled. */
function runsOf(stretches: readonly VersionStretch[]): readonly (readonly VersionStretch[])[] {
  const runs: VersionStretch[][] = [];
  for (const stretch of stretches) {
    const run = runs.at(-1);
    if (run !== undefined && run[0]?.isDisabled === stretch.isDisabled) run.push(stretch);
    else runs.push([stretch]);
  }
  return runs;
}

/** A disabled stretch is left out as a whole, up to the last occurrence that is due. */
function planDisabled(schedule: OccurrenceSource, { cursorAt, now }: DueSchedule): Recorded {
  const from = schedule.next(cursorAt) ?? cursorAt;
  const to = schedule.previous(new Date(now.getTime() + 1)) ?? cursorAt;
  const count = schedule.count({ after: cursorAt, until: to });
  return { executions: [], skippedRanges: [{ from, to, count, reason: 'disabled', actor: null }], cursorAt: to };
}
