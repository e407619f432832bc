import type { Interval } from '../calendar/schedule.js';
import { InvalidOptionsError } from '../errors.js';
import type { SkipReason } from '../execution/execution-state.js';
import { OptionReader, shown } from '../job/option-reader.js';
import type { JobSchedule, ScheduledJobDefinition } from '../job/job-definition.js';
import type { ScheduledJobOptions } from '../job/job-options.js';
import { resolveJobs } from '../job/resolve-jobs.js';
import type { DueSchedule, SchedulePlan, ScheduleVersion, SkippedRange } from '../ports/schedule-store.js';
import { SchedulePlanner } from './schedule-plan.js';
import { storedText } from './stored-definition.js';

/** A scheduled job as the decorator takes it, in one object. */
export type SimulatedJob = ScheduledJobOptions & { readonly cron: string; readonly timeZone: string };

/** A stretch without any scheduler, `to` being the moment at which one is back. */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

/** The stretch to play, and what goes wrong in it. */
export interface SimulationRange {
  /** The time of the first registration; `startAt` of the job may place its cursor elsewhere. */
  readonly from: Date;
  /** The last tick is at this moment. */
  readonly to: Date;
  /** In any order. Default: none. */
  readonly outages?: readonly Outage[];
}

/** An execution that the scheduler would have made. */
export interface SimulatedExecution {
  readonly key: string;
  readonly period: string;
  readonly interval: Interval;
  readonly scheduledFor: Date;
  /** When the tick made it: at its time, or when the outage was over. */
  readonly insertedAt: Date;
  /** When it may start. */
  readonly runAt: Date;
  /** Set = it was recorded as skipped. */
  readonly skip: SkipReason | null;
}

/** What the ledger would hold at the end. */
export interface Simulation {
  readonly executions: readonly SimulatedExecution[];
  readonly skippedRanges: readonly SkippedRange[];
  /** Everything up to this instant is recorded. */
  readonly cursorAt: Date;
}

const MAX_OCCURRENCES = 10_000;

/**
 * Plays a schedule over a stretch of time, with the planning of the real scheduler and a list in place of the database:
 * what is made when, what is caught up after an outage, what is left out.
 *
 * @throws InvalidOptionsError for options that cannot work, a range or an outage whose end does not follow its start, and
 * a range with more than 10,000 occurrences.
 * @publicApi
 */
export function simulate(job: SimulatedJob, range: SimulationRange): Simulation {
  checkRange(range);
  const { cron, ...options } = job;
  const declared = { kind: 'scheduled', cron, options, place: 'simulate' } as const;
  const [definition] = resolveJobs([declared], { timeZone: null, overrides: {} });
  const schedule = definition?.schedule ?? null;
  if (definition === undefined || schedule === null) throw new InvalidOptionsError(['simulate takes a scheduled job']);
  checkLength(schedule, range);
  return new PlayedSchedule({ ...definition, schedule }, range).play();
}

/** A schedule whose clock jumps from tick to tick. */
class PlayedSchedule {
  private readonly planner: SchedulePlanner;
  private readonly executions: SimulatedExecution[] = [];
  private readonly skippedRanges: SkippedRange[] = [];
  private readonly version: ScheduleVersion;
  private cursorAt: Date;

  constructor(
    private readonly job: ScheduledJobDefinition,
    private readonly range: SimulationRange,
  ) {
    this.planner = new SchedulePlanner([job], () => undefined);
    this.version = { version: 1, validFrom: range.from, ...storedText(job.schedule, job.disabled) };
    this.cursorAt = job.schedule.startAt ?? range.from;
  }

  play(): Simulation {
    let now = this.tickAt(this.range.from);
    while (now <= this.range.to) {
      const plan = this.planner.plan(this.due(now));
      if (plan === null) throw new TypeError('A definition has its own functions.');
      this.record(plan, now);
      const { nextAt } = plan;
      if (nextAt === null) break;
      now = this.tickAt(nextAt > now ? nextAt : now);
    }
    return { executions: this.executions, skippedRanges: this.skippedRanges, cursorAt: this.cursorAt };
  }

  /** The first moment from `at` on at which a scheduler is there. */
  private tickAt(at: Date): Date {
    const outage = this.range.outages?.find(({ from, to }) => from <= at && at < to);
    return outage === undefined ? at : this.tickAt(outage.to);
  }

  private due(now: Date): DueSchedule {
    return { jobName: this.job.name, cursorAt: this.cursorAt, now, versions: [this.version], suspensions: [] };
  }

  private record(plan: SchedulePlan, insertedAt: Date): void {
    for (const { key, period, interval, scheduledFor, runAt, skip } of plan.executions) {
      if (key === null || period === null || interval === null || scheduledFor === null) continue;
      const at = { insertedAt, runAt: runAt ?? insertedAt };
      this.executions.push({ key, period, interval, scheduledFor, ...at, skip });
    }
    if (plan.skippedRange !== null) this.leaveOut(plan.skippedRange);
    this.cursorAt = plan.cursorAt;
  }

  /** A range that follows the one before at once extends it, as in the ledger. */
  private leaveOut(range: SkippedRange): void {
    const last = this.skippedRanges.at(-1);
    if (last?.reason !== range.reason || last.to.getTime() !== this.cursorAt.getTime()) this.skippedRanges.push(range);
    else this.skippedRanges.splice(-1, 1, { ...last, to: range.to, count: last.count + range.count });
  }
}

function checkRange(range: SimulationRange): void {
  const problems: string[] = [];
  const reader = new OptionReader(range, 'range', problems);
  reader.allowOnly(['from', 'to', 'outages']);
  checkOrder('the range', { from: reader.raw('from'), to: reader.raw('to') }, problems);
  const outages = reader.raw('outages') ?? [];
  if (!Array.isArray(outages)) reader.refuse('outages', `must be a list of { from, to }, got ${shown(outages)}`);
  else for (const outage of outages) checkOrder('an outage', { ...(outage as object) }, problems);
  if (problems.length > 0) throw new InvalidOptionsError(problems);
}

function checkOrder(
  what: string,
  { from, to }: { readonly from?: unknown; readonly to?: unknown },
  problems: string[],
): void {
  if (from instanceof Date && to instanceof Date && from < to) return;
  problems.push(`${what} must end after its start, and both must be valid dates`);
}

/** Every occurrence may be a tick of its own. */
function checkLength({ schedule }: JobSchedule, { from, to }: SimulationRange): void {
  const count = schedule.count({ after: from, until: to });
  if (count <= MAX_OCCURRENCES) return;
  throw new InvalidOptionsError([
    `the range has ${count} occurrences, more than ${MAX_OCCURRENCES}; take a shorter one`,
  ]);
}
