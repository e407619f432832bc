import type { FinalState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';

export interface ExistingRow {
  readonly id: string;
  readonly key: string;
  readonly state: FinalState | null;
  readonly result: unknown;
}

/**
 * Reads how earlier executions stand; a pruned one gives no row.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_pk, outcomes_pk.
 * Params: $1 ids.
 */
export const findExistingSql = ({ table }: LedgerNames): string => `
select e.id::text as id, e.key, o.state, o.result
from ${table.executions} e
left join ${table.outcomes} o on o.execution_id = e.id
where e.id = any ($1::bigint[])`;
