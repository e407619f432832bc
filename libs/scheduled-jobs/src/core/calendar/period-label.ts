import { InvalidScheduleError } from '../errors.js';
import { isReservedKey } from '../job/execution-key.js';
import { shown } from '../job/option-reader.js';
import { quieten } from '../quieten.js';
import { dayOf } from './civil-date.js';
import { wallText } from './clock-text.js';
import type { CronExpressionFields } from './cron-expression.js';
import type { NominalInstant } from './nominal-instants.js';
import { dateLabel, PERIOD_DIVISIONS } from './period-unit.js';
import type { PeriodFunction, ResolvedScheduleDefinition } from './schedule-definition.js';

/** Names the period of a nominal instant. */
export type PeriodLabeler = (instant: NominalInstant) => string;

/** What a period's label may be. */
export const PERIOD_LABEL = /^[A-Za-z0-9._:+-]{1,100}$/;

/** The labels of a definition's period form. */
export function periodLabeler(definition: ResolvedScheduleDefinition, fields: CronExpressionFields): PeriodLabeler {
  const { period, timeZone } = definition;
  if (typeof period === 'function') return (instant) => functionLabel(period, instant, timeZone);
  if (period !== 'auto') return ({ wall }) => PERIOD_DIVISIONS[period].label(dayOf(wall));
  if (namesOneTime(fields) && definition.dst.fold !== 'both') return ({ wall }) => dateLabel(dayOf(wall));
  const showsSeconds = !(fields.seconds.length === 1 && fields.seconds[0] === 0);
  return (instant) => wallLabel(instant, showsSeconds);
}

const namesOneTime = ({ namesItsTimes, hours, minutes, seconds }: CronExpressionFields): boolean =>
  namesItsTimes && hours.length * minutes.length * seconds.length === 1;

function functionLabel(period: PeriodFunction, { at }: NominalInstant, timeZone: string): string {
  const scheduledFor = new Date(at * 1_000);
  const label: unknown = period(scheduledFor, timeZone);
  if (typeof label === 'string' && PERIOD_LABEL.test(label) && !isReservedKey(label)) return label;
  quieten(label);
  throw new InvalidScheduleError([
    `the period function gave ${shown(label)} for ${scheduledFor.toISOString()}. Return a text of 1 to 100 characters of A-Z, a-z, 0-9 and . _ : + - that does not start with "id:" or "manual:"`,
  ]);
}

/**
 * `YYYY-MM-DDTHH:mm±hh:mm`, with seconds if the schedule has any. A time that a gap moved is labelled by the wall clock
 * at the instant it runs, so that equal instants have equal labels; a time left out keeps the label of the missing time.
 */
function wallLabel(instant: NominalInstant, showsSeconds: boolean): string {
  const { offset } = instant;
  const wall = instant.isLeftOut ? instant.wall : instant.at + offset;
  return wallText(wall, offset, showsSeconds);
}
