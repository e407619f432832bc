import type { FireMark, UpcomingFire } from '../../core/calendar/upcoming-fires.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/duration.js';
import type { CheckedJob } from '../../core/job/check-jobs.js';
import type { OverlapPolicy } from '../../core/job/job-definition.js';
import type { OverlapRisk } from '../../core/job/overlap-risk.js';

/** A checked job with what the ledger says about its attempts. */
export interface ReportedJob extends CheckedJob {
  /** Null = not known. */
  readonly overlapRisk: OverlapRisk | null;
}

/** All that a check found; its JSON is the machine form. */
export interface CheckReport {
  readonly problems: readonly string[];
  /** What could not be looked at. */
  readonly notes: readonly string[];
  readonly jobs: readonly ReportedJob[];
  /** The durations of attempts were asked for. */
  readonly isDatabaseRead: boolean;
}

const MARKS: Readonly<Record<FireMark, string>> = {
  'clocks-changed': 'the clocks have changed since the fire before',
  'moved-by-gap': 'moved: its own time does not exist',
  'first-pass': 'first pass of a repeated hour',
  'second-pass': 'second pass of a repeated hour',
};
const SKIPS = { 'dst-gap': 'skipped: its own time does not exist', excluded: 'skipped: excluded' } as const;

const WHAT_OVERLAPS_DO: Readonly<Record<OverlapPolicy, string>> = {
  queue: 'queue up',
  'queue-latest': 'wait, of each job only the newest',
  skip: 'are skipped',
  replace: 'replace one another',
  allow: 'run side by side',
};

/** The report for people, without the last line break. */
export function checkText(report: CheckReport): string {
  const { problems, notes, jobs, isDatabaseRead } = report;
  const warnings = jobs.reduce((sum, job) => sum + warningsOf(job).length, 0);
  return [
    ...jobs.flatMap((job) => [...jobLines(job, isDatabaseRead), '']),
    ...notes.map((note) => `note: ${note}`),
    ...problems.map((problem) => `problem: ${problem}`),
    `${jobs.length} job(s), ${problems.length} problem(s), ${warnings} warning(s)`,
  ].join('\n');
}

function jobLines(job: ReportedJob, isDatabaseRead: boolean): readonly string[] {
  const { name, place, disabled, schedule } = job;
  const heading = `${name}  ${place}${disabled ? '  disabled' : ''}`;
  if (schedule === null) return [heading, ...warningsOf(job).map(warningLine)];
  return [
    heading,
    `  ${schedule.expression}  ${schedule.description}`,
    ...warningsOf(job).map(warningLine),
    ...(isDatabaseRead && job.overlapRisk?.isRisk !== true ? [`  ${overlapText(job)}`] : []),
    ...schedule.fires.map((fire) => `  ${fireLine(fire)}`),
  ];
}

const warningsOf = (job: ReportedJob): readonly string[] =>
  job.overlapRisk?.isRisk === true ? [...job.warnings, overlapText(job)] : job.warnings;

const warningLine = (warning: string): string => `  warning: ${warning}`;

function overlapText({ overlapRisk, overlap }: ReportedJob): string {
  if (overlapRisk === null) return 'overlap not known: no attempt has ended yet';
  const { attempts, p95Ms, shortestDistanceMs, isRisk } = overlapRisk;
  const facts = `95 % of the last ${attempts} attempt(s) took at most ${roundedDuration(p95Ms)}, and the shortest distance between two fires is ${roundedDuration(shortestDistanceMs)}`;
  if (!isRisk) return `no overlap: ${facts}`;
  return `${facts}: executions ${WHAT_OVERLAPS_DO[overlap]} (overlap "${overlap}")`;
}

function fireLine({ scheduledFor, localTime, skip, marks }: UpcomingFire): string {
  const remarks = [...(skip === null ? [] : [SKIPS[skip]]), ...marks.map((mark) => MARKS[mark])];
  const utc = scheduledFor.toISOString().replace('.000Z', 'Z');
  return `${localTime}  ${utc}${remarks.length === 0 ? '' : `  ${remarks.join('; ')}`}`;
}

function roundedDuration(ms: number): string {
  if (ms < SECOND_MS) return `${ms} ms`;
  if (ms < 2 * MINUTE_MS) return `${rounded(ms / SECOND_MS)} s`;
  return ms < 2 * HOUR_MS ? `${rounded(ms / MINUTE_MS)} min` : `${rounded(ms / HOUR_MS)} h`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
