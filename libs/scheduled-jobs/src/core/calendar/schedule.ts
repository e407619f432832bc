import { InvalidScheduleError } from '../errors.js';
import { shown } from '../job/option-reader.js';
import { quieten } from '../quieten.js';
import { cronWarnings, readCronExpression, type CronExpressionFields } from './cron-expression.js';
import { DayMatcher } from './day-matcher.js';
import { describeSchedule } from './describe-schedule.js';
import { epochMs } from './instant-range.js';
import { NominalInstants, REPETITION_FROM, type InstantSequence, type NominalInstant } from './nominal-instants.js';
import { periodLabeler, type PeriodLabeler } from './period-label.js';
import { DivisionGrouping, LabelGrouping, PeriodStarts } from './period-starts.js';
import { PERIOD_DIVISIONS } from './period-unit.js';
import {
  resolveScheduleDefinition,
  type ResolvedScheduleDefinition,
  type ScheduleDefinition,
} from './schedule-definition.js';
import { TimeZone } from './time-zone.js';
import { TimesOfDay } from './times-of-day.js';
import { WallCalendar } from './wall-calendar.js';

/** A stretch of time, `end` exclusive. */
export interface Interval {
  readonly start: Date;
  readonly end: Date;
}

/** Why an occurrence is recorded without being run. */
export type OccurrenceSkip = 'dst-gap' | 'excluded';

/** One nominal time of a schedule. */
export interface Occurrence {
  /** Whole seconds. */
  readonly scheduledFor: Date;
  /** The label of its period, unique within the schedule. */
  readonly period: string;
  /**
   * From the previous occurrence to this one, so that the intervals of a schedule touch and have ended when the run is
   * due. With an explicit period form: from the first occurrence of the period before to the first of this one.
   */
  readonly interval: Interval;
  /** Null = it is run. */
  readonly skip: OccurrenceSkip | null;
}

/** A stretch of occurrences: `after` exclusive, `until` inclusive. */
export interface OccurrenceRange {
  readonly after: Date;
  readonly until: Date;
}

const MAX_OCCURRENCES = 10_000;
const MAX_COUNT_SECONDS = 1_000 * 365.2425 * 86_400;

/**
 * Reads a cron expression (5 fields, or 6 with the second first) in a time zone.
 *
 * @throws InvalidScheduleError with every problem of the expression and the definition; also for dates that never come.
 * @publicApi
 */
export function parseSchedule(cron: string, definition: ScheduleDefinition): Schedule {
  const problems: string[] = [];
  const fields = readCronExpression(cron, problems);
  const resolved = resolveScheduleDefinition(definition, problems);
  if (fields === null || problems.length > 0) throw new InvalidScheduleError(problems);
  return new Schedule(cron, fields, resolved);
}

/**
 * The occurrences of a cron expression in a time zone, years 1 to 9999. Pure: the same answers in every process with the
 * same zone data, whatever its own time zone and clock. With an explicit period form there is one occurrence per period.
 *
 * @publicApi
 */
export class Schedule {
  readonly timeZone: string;
  /** The name under which this process knows the zone; spellings of one zone share it. */
  readonly resolvedTimeZone: string;
  /** The times of day are numbers, lists and ranges only: each runs once per local date, also on days with a clock change. */
  readonly namesItsTimes: boolean;
  /** What is allowed but probably not meant, one sentence each. */
  readonly warnings: readonly string[];

  private readonly instants: InstantSequence;
  private readonly labelOf: PeriodLabeler;

  /** @internal Use `parseSchedule`. */
  constructor(
    readonly expression: string,
    private readonly fields: CronExpressionFields,
    private readonly definition: ResolvedScheduleDefinition,
  ) {
    const zone = TimeZone.named(definition.timeZone);
    this.timeZone = zone.name;
    this.resolvedTimeZone = zone.resolvedName;
    this.namesItsTimes = fields.namesItsTimes;
    this.labelOf = periodLabeler(definition, fields);
    const calendar = new WallCalendar(new DayMatcher(fields.days), new TimesOfDay(fields));
    const instants = new NominalInstants({ calendar, zone, namesItsTimes: fields.namesItsTimes, dst: definition.dst });
    this.instants = onePerPeriod(instants, definition, { zone, labelOf: this.labelOf });
    this.warnings = [...cronWarnings(expression, fields), ...gapWarnings(expression, fields, instants)];
  }

  /**
   * Occurrences in order, those left out for a gap or by `exclude` included and marked.
   *
   * @param range `limit` 1–10,000.
   * @throws RangeError for an invalid date or limit; InvalidScheduleError when a period function gives no usable label.
   * Errors of the definition's own functions pass through.
   */
  occurrences(range: Partial<OccurrenceRange> & { readonly after: Date; readonly limit: number }): Occurrence[] {
    const { limit } = range;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_OCCURRENCES) {
      throw new RangeError(`limit must be a whole number from 1 to ${MAX_OCCURRENCES}, got ${shown(limit)}.`);
    }
    const last = range.until === undefined ? Number.POSITIVE_INFINITY : lastSecondUntil(range.until, 'until');
    const found: Occurrence[] = [];
    let instant = this.instants.firstFrom(firstSecondAfter(range.after));
    let previous = instant === null ? null : this.instants.lastUntil(instant.at - 1);
    while (instant !== null && instant.at <= last && found.length < limit) {
      found.push(this.occurrence(instant, previous));
      [previous, instant] = [instant, this.instants.firstFrom(instant.at + 1)];
    }
    return found;
  }

  /** The first occurrence after an instant; null when there is none before the year 10000. @throws RangeError */
  next(after: Date): Date | null {
    return dateOf(this.instants.firstFrom(firstSecondAfter(after)));
  }

  /** The last occurrence before an instant; null when there is none since the year 1. @throws RangeError */
  previous(before: Date): Date | null {
    return dateOf(this.instants.lastUntil(Math.ceil(epochMs(before, 'before') / 1_000) - 1));
  }

  /** Whether an occurrence lies exactly on an instant. @throws RangeError for an invalid date. */
  matches(at: Date): boolean {
    const second = epochMs(at, 'at') / 1_000;
    return this.instants.firstFrom(Math.ceil(second))?.at === second;
  }

  /**
   * How many occurrences lie in a range, those left out included. Whole days are counted by multiplication; an explicit
   * period form costs a step per period, a period function a step per occurrence.
   *
   * @throws RangeError for an invalid date or a range of more than 1,000 years.
   */
  count(range: OccurrenceRange): number {
    const first = firstSecondAfter(range.after);
    const last = lastSecondUntil(range.until, 'until');
    if (last - first > MAX_COUNT_SECONDS) throw new RangeError('A range to count is at most 1,000 years long.');
    return this.instants.count(first, last);
  }

  /** The schedule in one English line, for people. */
  describe(): string {
    return describeSchedule(this.fields.texts, this.timeZone);
  }

  private occurrence(instant: NominalInstant, previous: NominalInstant | null): Occurrence {
    const labelled = this.definition.periodOf === 'previous' && previous !== null ? previous : instant;
    const period = this.labelOf(labelled);
    const scheduledFor = new Date(instant.at * 1_000);
    const interval = { start: new Date((previous ?? instant).at * 1_000), end: new Date(instant.at * 1_000) };
    return {
      scheduledFor,
      period,
      interval,
      skip: instant.isLeftOut ? 'dst-gap' : this.exclusion(scheduledFor, period),
    };
  }

  private exclusion(scheduledFor: Date, period: string): OccurrenceSkip | null {
    const answer: unknown = this.definition.exclude?.({ scheduledFor: new Date(scheduledFor), period }) ?? false;
    if (typeof answer === 'boolean') return answer ? 'excluded' : null;
    quieten(answer);
    throw new InvalidScheduleError([
      `exclude gave ${shown(answer)} for ${scheduledFor.toISOString()}. Return true or false, and not a promise.`,
    ]);
  }
}

function onePerPeriod(
  instants: NominalInstants,
  { period }: ResolvedScheduleDefinition,
  { zone, labelOf }: { readonly zone: TimeZone; readonly labelOf: PeriodLabeler },
): InstantSequence {
  if (period === 'auto') return instants;
  const grouping =
    typeof period === 'function'
      ? new LabelGrouping(instants, labelOf)
      : new DivisionGrouping(instants, zone, PERIOD_DIVISIONS[period]);
  return new PeriodStarts(instants, grouping);
}

/** Times that are not named are not made up for; if a clock change leaves out all of them, the schedule never fires. */
function gapWarnings(expression: string, fields: CronExpressionFields, instants: InstantSequence): readonly string[] {
  if (fields.namesItsTimes || !canAllBeMissing(fields) || instants.firstFrom(REPETITION_FROM) !== null) return [];
  return [
    `cron expression ${shown(expression)} never fires: each of its times is left out when the clocks go forward. Name the times with numbers, lists and ranges only, and they run at the end of the missing hour.`,
  ];
}

/** Spares nearly all schedules the search: no clock changes in every month, or leaves out three hours. */
const canAllBeMissing = ({ hours, days }: CronExpressionFields): boolean =>
  days.months.length < 12 && (hours.at(-1) ?? 0) - (hours[0] ?? 0) < 3;

const firstSecondAfter = (after: Date): number => Math.floor(epochMs(after, 'after') / 1_000) + 1;
const lastSecondUntil = (until: Date, name: string): number => Math.floor(epochMs(until, name) / 1_000);
const dateOf = (instant: NominalInstant | null): Date | null =>
  instant === null ? null : new Date(instant.at * 1_000);
