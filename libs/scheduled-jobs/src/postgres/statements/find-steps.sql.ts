import type { LedgerNames } from '../ledger-names.js';

export interface StepResultRow {
  readonly step_name: string;
  /** JSON text. */
  readonly result: string | null;
}

/**
 * Reads the results of all finished steps of an execution, which a run keeps to 1,000 and 16 MiB.
 *
 * Fenced: no, it only reads. Only the holder of the lease adds to them.
 * Locks: none.
 * Index: steps_pk.
 * Params: $1 execution id.
 */
export const findStepsSql = ({ table }: LedgerNames): string => `
select step_name, result::text as result
from ${table.steps}
where execution_id = $1::bigint`;
