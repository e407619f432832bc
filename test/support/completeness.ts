import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import {
  ledgerCompleteness,
  type Completeness,
} from '../../libs/scheduled-jobs/src/core/schedule/ledger-completeness.js';
import type { TestLedger } from './ledger.js';

/**
 * Whether a ledger accounts for every period, as an application with these jobs sees it.
 * @param now What overdue periods are judged by; null = the database's time.
 */
export async function completenessOf(
  { stores }: Pick<TestLedger, 'stores'>,
  definitions: readonly JobDefinition[],
  { limit = 100_000, now = null }: { readonly limit?: number; readonly now?: Date | null } = {},
): Promise<Completeness> {
  const names = (await stores.ledger.schedules()).map(({ scheduleName }) => scheduleName);
  return ledgerCompleteness(names, { periods: stores.periods, definitions, limit, now });
}

/**
 * Looks for periods up to the cursors that the ledger does not account for.
 * @param definitions The jobs whose functions name periods; other schedules are read from their stored versions.
 * @throws Error that names them, or the schedules that could not be looked at.
 */
export async function expectComplete(
  ledger: Pick<TestLedger, 'stores'>,
  definitions: readonly JobDefinition[],
): Promise<Completeness> {
  const completeness = await completenessOf(ledger, definitions);
  const { missingPeriods, schedules, unchecked } = completeness;
  if (missingPeriods === 0 && unchecked.length === 0) return completeness;
  const broken = schedules.filter(({ missing }) => missing > 0);
  throw new Error(`Periods are missing: ${JSON.stringify({ missingPeriods, broken, unchecked }, null, 2)}`);
}
