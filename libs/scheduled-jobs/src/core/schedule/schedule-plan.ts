import {
  leftOutUntil,
  planCatchUp,
  type CatchUpPolicy,
  type LeftOutRange,
  type PlannedOccurrence,
} from '../calendar/catch-up.js';
import { justAfter } from '../calendar/instant-range.js';
import { InvalidScheduleError } from '../errors.js';
import type { NewExecution } from '../execution/new-execution.js';
import { concurrencyKeyOf } from '../job/concurrency-key.js';
import type { JobDefinition, ScheduledJobDefinition } from '../job/job-definition.js';
import type { DueSchedule, SchedulePlan, SkippedRange } from '../ports/schedule-store.js';
import { periodExecution } from './period-execution.js';
import { isSameDefinition, lacksFunctions, storedText } from './stored-definition.js';
import { treatedStretches, type TreatedStretch, type Treatment } from './stretch-treatment.js';
import { versionStretches, type ParsedVersions } from './version-stretches.js';
import { VersionedSchedule, type OccurrenceSource } from './versioned-schedule.js';

type Recorded = Omit<SchedulePlan, 'nextAt'>;

/** What is due in a stretch of time that is treated alike. */
interface Stretch {
  readonly due: DueSchedule;
  readonly treatment: Treatment;
  /** What is due behind it and subject to the same policy. */
  readonly newer: OccurrenceSource;
}

/** Occurrences that one tick records for one schedule. A paced stretch is planned as a whole, as far as possible. */
const BATCH_SIZE = 1_000;
const PACED_BATCH_SIZE = 10_000;

/**
 * Decides what a tick records for a due schedule. The answer depends on the stored versions and suspensions, the cursor and
 * `now` alone, so every process with the same functions gives the same one, whatever expression its own code carries.
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

  /**
   * @returns Null = another process has to plan it: its versions need functions that the code of this one does not have.
   * @throws InvalidScheduleError when a stored version cannot be read here; what the job's own functions throw.
   */
  plan(due: DueSchedule): SchedulePlan | null {
    const { jobName, cursorAt, now, versions } = due;
    const job = this.jobs.get(jobName);
    if (job === undefined) throw new InvalidScheduleError([`the job "${jobName}" has no schedule in this process`]);
    if (isForeign(job, versions)) return null;
    const stretches = versionStretches(job, versions, this.parsed);
    const whole = new VersionedSchedule(stretches);
    const treated = treatedStretches(stretches, due.suspensions);
    // One stretch per tick: the first in which something is due. What stands still holds up all that comes after it.
    for (const [index, { after, until, treatment }] of treated.entries()) {
      const schedule = new VersionedSchedule([{ schedule: whole, after, until }]);
      const first = schedule.next(cursorAt);
      if (first === null || first > now) continue;
      if (treatment.decision === 'wait') break;
      const newer = caughtUpOf(whole, treated.slice(index + 1));
      const recorded = this.record(job, schedule, { due, treatment, newer });
      return { ...recorded, nextAt: whole.next(recorded.cursorAt) };
    }
    return { executions: [], skippedRange: null, cursorAt, nextAt: whole.next(cursorAt) };
  }

  private record(
    job: ScheduledJobDefinition,
    schedule: OccurrenceSource,
    { due, treatment, newer }: Stretch,
  ): Recorded {
    if (treatment.decision === 'leave-out') return leaveOut(schedule, due, treatment);
    const catchUp = restOf(job.schedule.catchUp, newer, due.now);
    const batchSize = catchUp.maxPerMinute === null ? BATCH_SIZE : PACED_BATCH_SIZE;
    const plan = planCatchUp({ schedule, cursorAt: due.cursorAt, now: due.now, catchUp, batchSize });
    return {
      executions: this.executions(job, plan.insert),
      skippedRange: rangeOf(plan.skippedRange, treatment),
      cursorAt: plan.cursorAt,
    };
  }

  private executions(job: ScheduledJobDefinition, occurrences: readonly PlannedOccurrence[]): readonly NewExecution[] {
    if (occurrences.length === 0) return [];
    const { priority, retry } = job;
    const { deadlineMs } = retry;
    const concurrencyKey = concurrencyKeyOf(job, null, this.warn);
    return occurrences.map((occurrence) => {
      const { runAt } = occurrence;
      return periodExecution(job, occurrence, {
        runAt,
        priority,
        concurrencyKey,
        deadlineMs,
        trigger: 'schedule',
        actor: null,
      });
    });
  }
}

/** The process that carries the newest version plans what older ones left behind, with the functions that it has. */
function isForeign({ schedule, disabled }: ScheduledJobDefinition, versions: DueSchedule['versions']): boolean {
  if (!versions.some((version) => lacksFunctions(version, schedule.definition))) return false;
  return !isSameDefinition(versions.at(-1) ?? versions[0], storedText(schedule, disabled));
}

/** The occurrences of the stretches that the catch-up policy decides about. */
const caughtUpOf = (schedule: OccurrenceSource, stretches: readonly TreatedStretch[]): OccurrenceSource =>
  new VersionedSchedule(
    stretches
      .filter(({ treatment }) => treatment.decision === 'catch-up')
      .map(({ after, until }) => ({ schedule, after, until })),
  );

/** What a policy leaves to a stretch: it is one policy for all late occurrences, and the newest of them come first. */
function restOf(catchUp: CatchUpPolicy, newer: OccurrenceSource, now: Date): CatchUpPolicy {
  const { policy, limit, windowMs, graceMs } = catchUp;
  const [after, until] = [now.getTime() - windowMs, now.getTime() - graceMs - 1];
  const late = newer.count({ after: new Date(after), until: new Date(until) });
  return { ...catchUp, limit: Math.max((policy === 'latest' ? 1 : limit) - late, 0) };
}

/** A stretch is left out as a whole, up to the last occurrence that is due. */
function leaveOut(schedule: OccurrenceSource, { cursorAt, now }: DueSchedule, treatment: Treatment): Recorded {
  const to = schedule.previous(justAfter(now)) ?? cursorAt;
  return { executions: [], skippedRange: rangeOf(leftOutUntil(to, { schedule, cursorAt }), treatment), cursorAt: to };
}

const rangeOf = (leftOut: LeftOutRange | null, { reason, actor }: Treatment): SkippedRange | null =>
  leftOut === null ? null : { ...leftOut, reason, actor };
