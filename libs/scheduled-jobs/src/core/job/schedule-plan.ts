import { planCatchUp, type PlannedOccurrence } from '../calendar/catch-up.js';
import { parseSchedule, type Schedule } from '../calendar/schedule.js';
import { InvalidScheduleError } from '../errors.js';
import type { NewExecution } from '../execution/new-execution.js';
import type { DueSchedule, SchedulePlan, ScheduleVersion } from '../ports/schedule-store.js';
import { concurrencyKeyOf } from './concurrency-key.js';
import { executionKey } from './execution-key.js';
import type { JobDefinition, JobSchedule } from './job-definition.js';
import { storedDefinition } from './stored-definition.js';
import { VersionedSchedule, type OccurrenceSource, type Stretch } from './versioned-schedule.js';

type ScheduledJob = JobDefinition & { readonly schedule: JobSchedule };
type VersionStretch = Stretch & { readonly isDisabled: boolean };
type Recorded = Omit<SchedulePlan, 'nextAt'>;

/** Occurrences that one tick records for one schedule. A paced stretch is planned as a whole, as far as possible. */
const BATCH_SIZE = 1_000;
const PACED_BATCH_SIZE = 10_000;

/**
 * Decides what a tick records for a due schedule. The answer depends on the stored versions, the cursor and `now` alone,
 * so every process with the same functions gives the same one, whatever expression its own code carries.
 */
export class SchedulePlanner {
  private readonly jobs: ReadonlyMap<string, ScheduledJob>;
  private readonly parsed = new Map<string, Schedule>();

  /** @param warn Is told about functions of a job that gave nothing usable. */
  constructor(
    definitions: readonly JobDefinition[],
    private readonly warn: (message: string) => void,
  ) {
    const scheduled = definitions.filter((job): job is ScheduledJob => job.schedule !== null);
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
    const stretches = this.stretches(job, due.versions);
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

  private stretches(job: ScheduledJob, versions: DueSchedule['versions']): readonly VersionStretch[] {
    return versions.map((version, index) => ({
      schedule: this.parse(job, version),
      isDisabled: version.shape['disabled'] === true,
      after: index === 0 ? null : version.validFrom,
      until: versions[index + 1]?.validFrom ?? null,
    }));
  }

  // A version is never changed, so its number is enough to know it by.
  private parse(job: ScheduledJob, version: ScheduleVersion): Schedule {
    const id = `${job.name} ${version.version}`;
    const known =
      this.parsed.get(id) ?? parseSchedule(version.expression, storedDefinition(version, job.schedule.definition));
    this.parsed.set(id, known);
    return known;
  }

  private planEnabled(job: ScheduledJob, schedule: OccurrenceSource, { cursorAt, now }: DueSchedule): Recorded {
    const { catchUp } = job.schedule;
    const batchSize = catchUp.maxPerMinute === null ? BATCH_SIZE : PACED_BATCH_SIZE;
    const plan = planCatchUp({ schedule, cursorAt, now, catchUp, batchSize });
    return {
      executions: plan.insert.map((occurrence) => this.execution(job, occurrence)),
      skippedRanges: plan.skippedRange === null ? [] : [{ ...plan.skippedRange, actor: null }],
      cursorAt: plan.cursorAt,
    };
  }

  private execution(job: ScheduledJob, occurrence: PlannedOccurrence): NewExecution {
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
