import { resolveScheduleDefinition, type ScheduleDefinition } from '../calendar/schedule-definition.js';
import { isSameZone } from '../calendar/time-zone.js';
import { definedOnly } from '../defined-only.js';
import type { JobSchedule } from '../job/job-definition.js';
import type { ScheduleVersion } from '../ports/schedule-store.js';

/** What of a definition lives in the code alone. */
export type DefinitionFunctions = Pick<ScheduleDefinition, 'period' | 'exclude'>;

/** What of a definition is stored, and what definitions are compared by. */
export type StoredText = Pick<ScheduleVersion, 'expression' | 'timeZone' | 'shape'>;

/** Stands in a stored shape for a function of the code. */
const CUSTOM = 'custom';

/** The options of a definition that shape occurrences and labels; of a function only that there is one. */
export function storedShape(definition: ScheduleDefinition, disabled: boolean): ScheduleVersion['shape'] {
  const { period, periodOf, dst, exclude } = resolveScheduleDefinition(definition, []);
  return {
    period: typeof period === 'function' ? CUSTOM : period,
    periodOf,
    dst,
    disabled,
    ...(exclude === null ? {} : { exclude: CUSTOM }),
  };
}

/** What is stored of a job's own schedule. */
export const storedText = ({ expression, definition }: JobSchedule, disabled: boolean): StoredText => ({
  expression,
  timeZone: definition.timeZone,
  shape: storedShape(definition, disabled),
});

/**
 * The definition that a stored version stands for. Its values are as stored: whoever parses it checks them. A function that
 * the code does not have any more is replaced by what the code says now, a period form or no exclusion.
 */
export function storedDefinition(
  { timeZone, shape }: Pick<ScheduleVersion, 'timeZone' | 'shape'>,
  code: DefinitionFunctions,
): ScheduleDefinition {
  const { periodOf, dst } = shape;
  const period = shape['period'] === CUSTOM ? code.period : shape['period'];
  const exclude = shape['exclude'] === CUSTOM ? code.exclude : undefined;
  return definedOnly({ timeZone, period, periodOf, dst, exclude }) as ScheduleDefinition;
}

/** Tells whether a stored version needs a function that the code does not have. */
export const lacksFunctions = ({ shape }: Pick<ScheduleVersion, 'shape'>, code: DefinitionFunctions): boolean =>
  (shape['period'] === CUSTOM && typeof code.period !== 'function') ||
  (shape['exclude'] === CUSTOM && typeof code.exclude !== 'function');

/** Tells whether two definitions are the same; two spellings of one zone make no difference. */
export const isSameDefinition = (a: StoredText, b: StoredText): boolean =>
  a.expression === b.expression && isSameZone(a.timeZone, b.timeZone) && textOf(a.shape) === textOf(b.shape);

/** Whatever order the members are in: the database keeps none. */
const textOf = (shape: unknown): string =>
  JSON.stringify(shape, (_name, value: unknown) =>
    typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value,
  );

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
