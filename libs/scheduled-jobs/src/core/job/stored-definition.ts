import { resolveScheduleDefinition, type ScheduleDefinition } from '../calendar/schedule-definition.js';
import type { ScheduleVersion } from '../ports/schedule-store.js';

/** What of a definition lives in the code alone. */
export type DefinitionFunctions = Pick<ScheduleDefinition, 'period' | 'exclude'>;

/** The options of a definition that shape occurrences and labels; of a function only that there is one. */
export function storedShape(definition: ScheduleDefinition, disabled: boolean): ScheduleVersion['shape'] {
  const { period, periodOf, dst } = resolveScheduleDefinition(definition, []);
  return { period: typeof period === 'function' ? 'custom' : period, periodOf, dst, disabled };
}

/** The definition that a stored version stands for. Its values are as stored: whoever parses it checks them. */
export function storedDefinition(
  { timeZone, shape }: Pick<ScheduleVersion, 'timeZone' | 'shape'>,
  code: DefinitionFunctions,
): ScheduleDefinition {
  const { period, periodOf, dst } = shape;
  const stored = { timeZone, period: period === 'custom' ? code.period : period, periodOf, dst, exclude: code.exclude };
  return Object.fromEntries(
    Object.entries(stored).filter(([, value]) => value !== undefined),
  ) as unknown as ScheduleDefinition;
}
