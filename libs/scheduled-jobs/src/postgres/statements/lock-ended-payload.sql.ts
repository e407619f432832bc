import type { LedgerNames } from '../ledger-names.js';

export interface EndedPayloadRow {
  readonly payload: unknown;
}

/**
 * Locks the outcome of an execution whose payload is about to be corrected, and reads the payload that it had.
 *
 * Fenced: no, it makes the lock under which the replay follows.
 * Locks: one outcome, skip locked; never waits.
 * Index: outcomes_pk, executions_pk.
 * Params: $1 id.
 */
export const lockEndedPayloadSql = ({ table }: LedgerNames): string => `
select e.payload
from ${table.outcomes} o
join ${table.executions} e on e.id = o.execution_id
where o.execution_id = $1::bigint
for update of o skip locked`;
