import { OptionReader } from '../job/option-reader.js';
import { timeZoneProblem } from './time-zone.js';

/** What happens to a named time that a zone's clock change leaves out or repeats. */
export interface DstPolicy {
  /**
   * A time inside a gap runs at the first instant after it (`next-valid`), or is recorded as left out (`skip`). Default
   * `next-valid`.
   */
  readonly gap: 'next-valid' | 'skip';
  /** A time inside a fold runs in the first pass, the last, or both. Default `first`. */
  readonly fold: 'first' | 'last' | 'both';
}

/** Periods that take in every occurrence of a stretch of the local calendar; weeks are ISO weeks. */
export const PERIOD_UNITS = ['day', 'week', 'month', 'year'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** A pure function of an occurrence that names its period: 1–100 characters of `[A-Za-z0-9._:+-]`. */
export type PeriodFunction = (occurrence: Date, timeZone: string) => string;

/**
 * How occurrences get their period's label. `auto`: the local date when the schedule names exactly one time of day and
 * does not run both passes of a fold, else local time and offset. Any other form makes several occurrences of one period
 * one execution, at the first.
 */
export type PeriodForm = 'auto' | PeriodUnit | PeriodFunction;

/** An occurrence as `exclude` sees it. */
export interface ExcludableOccurrence {
  readonly scheduledFor: Date;
  readonly period: string;
}

/** What a schedule needs beside its cron expression. */
export interface ScheduleDefinition {
  /** A name of the tz database, such as `Asia/Shanghai` or `UTC`; offsets and abbreviations are refused. */
  readonly timeZone: string;
  /** Default `auto`. */
  readonly period?: PeriodForm;
  /**
   * Label an occurrence by itself (`current`) or by the start of its interval (`previous`): the bill of the 14th is made
   * at 00:00 on the 15th. Default `current`.
   */
  readonly periodOf?: 'current' | 'previous';
  /** Applies to schedules that name their times of day. Default `next-valid`, `first`. */
  readonly dst?: Partial<DstPolicy>;
  /** A pure function; true = the occurrence is recorded as left out. Default none. */
  readonly exclude?: (occurrence: ExcludableOccurrence) => boolean;
}

/** A definition with its defaults filled in. */
export interface ResolvedScheduleDefinition {
  readonly timeZone: string;
  readonly period: PeriodForm;
  readonly periodOf: 'current' | 'previous';
  readonly dst: DstPolicy;
  readonly exclude: ((occurrence: ExcludableOccurrence) => boolean) | null;
}

/** Fills in the defaults and notes every problem; what was refused reads as its default. */
export function resolveScheduleDefinition(definition: unknown, problems: string[]): ResolvedScheduleDefinition {
  const options = new OptionReader(definition, '', problems);
  options.allowOnly(['timeZone', 'period', 'periodOf', 'dst', 'exclude']);
  const timeZone = options.raw('timeZone');
  problems.push(...[timeZoneProblem(timeZone)].filter((problem) => problem !== null));
  const dst = options.nested('dst');
  dst.allowOnly(['gap', 'fold']);
  return {
    timeZone: typeof timeZone === 'string' ? timeZone : '',
    period: periodForm(options),
    periodOf: options.oneOf('periodOf', 'current', ['current', 'previous']),
    dst: {
      gap: dst.oneOf('gap', 'next-valid', ['next-valid', 'skip']),
      fold: dst.oneOf('fold', 'first', ['first', 'last', 'both']),
    },
    exclude: options.function('exclude'),
  };
}

function periodForm(options: OptionReader): PeriodForm {
  const form = options.raw('period');
  if (typeof form === 'function') return form as PeriodFunction;
  return options.oneOf<'auto' | PeriodUnit>('period', 'auto', ['auto', ...PERIOD_UNITS]);
}
