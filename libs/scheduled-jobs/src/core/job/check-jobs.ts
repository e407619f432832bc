import { ambiguousTimes } from '../calendar/ambiguous-times.js';
import type { Schedule } from '../calendar/schedule.js';
import { resolveScheduleDefinition } from '../calendar/schedule-definition.js';
import { upcomingFires, type UpcomingFire } from '../calendar/upcoming-fires.js';
import { DuplicateJobError, InvalidOptionsError, InvalidScheduleError } from '../errors.js';
import { ambiguityWarnings } from './ambiguity-warnings.js';
import type { DeclaredJob } from './declared-job.js';
import type { JobDefinition, JobSchedule, OverlapPolicy } from './job-definition.js';
import { resolveJob, type JobDefaults } from './resolve-job.js';
import { resolveJobs } from './resolve-jobs.js';

/** The decorated methods of an application, and how far to look ahead. */
export interface JobsToCheck {
  readonly declared: readonly DeclaredJob[];
  readonly defaults: JobDefaults;
  /** The fires that are listed come after it. */
  readonly now: Date;
  /** Fires to list for each scheduled job, 1 … 1,000. */
  readonly count: number;
}

/** When a checked job runs. */
export interface CheckedSchedule {
  readonly expression: string;
  readonly timeZone: string;
  /** The expression in an English line. */
  readonly description: string;
  readonly fires: readonly UpcomingFire[];
  /** Between neighbours among the next 100 fires, milliseconds; null = there are not two. */
  readonly shortestDistanceMs: number | null;
}

/** A job that could start, with what is probably not meant. */
export interface CheckedJob {
  readonly name: string;
  /** Class and method. */
  readonly place: string;
  readonly disabled: boolean;
  readonly overlap: OverlapPolicy;
  /** Null for a background job, and for a schedule whose own functions fail. */
  readonly schedule: CheckedSchedule | null;
  readonly warnings: readonly string[];
}

/** What a check found. */
export interface JobsCheck {
  /** Every one keeps the application from starting, or a schedule from running. */
  readonly problems: readonly string[];
  /** By name; those with problems in their options are missing. */
  readonly jobs: readonly CheckedJob[];
}

const AMBIGUITY_YEARS = 2;
const DISTANCE_FIRES = 100;

/** Checks all jobs of an application as its start would, and what only shows later: clock changes and own functions. */
export function checkJobs({ declared, defaults, now, count }: JobsToCheck): JobsCheck {
  const problems = [...startProblems(declared, defaults)];
  const jobs = declared
    .map((job) => resolveJob(job, defaults).definition)
    .filter((definition) => definition !== null)
    .map((definition) => checkedJob(definition, { now, count, problems }))
    .toSorted(byName);
  return { problems, jobs };
}

/** Case twins keep their order. */
function byName(a: CheckedJob, b: CheckedJob): number {
  const [first, second] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

function startProblems(declared: readonly DeclaredJob[], defaults: JobDefaults): readonly string[] {
  try {
    resolveJobs(declared, defaults);
    return [];
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
    if (error instanceof DuplicateJobError) return [error.message];
    throw error;
  }
}

interface Look {
  readonly now: Date;
  readonly count: number;
  readonly problems: string[];
}

function checkedJob(definition: JobDefinition, look: Look): CheckedJob {
  const { name, place, disabled, overlap, schedule } = definition;
  const job = { name, place, disabled, overlap };
  if (schedule === null) return { ...job, schedule: null, warnings: [] };
  try {
    const warnings = [...schedule.schedule.warnings, ...clockChangeWarnings(schedule, look.now)];
    return { ...job, schedule: checkedSchedule(schedule, look), warnings };
  } catch (error) {
    look.problems.push(`${place} ("${name}"): the fires of its schedule cannot be told: ${reason(error)}`);
    return { ...job, schedule: null, warnings: schedule.schedule.warnings };
  }
}

function checkedSchedule({ expression, schedule, startAt }: JobSchedule, { now, count }: Look): CheckedSchedule {
  const after = startAt !== null && startAt > now ? startAt : now;
  return {
    expression,
    timeZone: schedule.timeZone,
    description: schedule.describe(),
    fires: upcomingFires(schedule, { after, limit: count }),
    shortestDistanceMs: shortestDistanceMs(schedule, after),
  };
}

function shortestDistanceMs(schedule: Schedule, after: Date): number | null {
  const instants = schedule
    .occurrences({ after, limit: DISTANCE_FIRES })
    .flatMap(({ scheduledFor, skip }) => (skip === null ? [scheduledFor.getTime()] : []));
  const distances = instants.slice(1).map((instant, index) => instant - (instants[index] ?? instant));
  return distances.length === 0 ? null : Math.min(...distances);
}

function clockChangeWarnings({ schedule, definition }: JobSchedule, now: Date): readonly string[] {
  const { dst } = resolveScheduleDefinition(definition, []);
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + AMBIGUITY_YEARS);
  const found = ambiguousTimes(schedule, dst, { after: now, until });
  return ambiguityWarnings(found, { timeZone: schedule.timeZone, dst });
}

/** Period functions and `exclude` belong to the application and may throw anything. */
function reason(error: unknown): string {
  if (error instanceof InvalidScheduleError) return error.problems.join(' ');
  return error instanceof Error ? error.message : String(error);
}
