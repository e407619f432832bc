import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isOld, keptOfJob, mayBeOld } from './retention.js';

export interface PrunableRow {
  readonly count: number;
}

const NOW = boundNow(3);

/**
 * Counts the executions of a job that prune-executions would remove, up to a limit.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: as prune-executions.
 * Params: $1 job, $2 at most, $3 now.
 */
export const countPrunableSql = (names: LedgerNames): string => `
with ${keptOfJob(names)}
select count(*)::int as count
from (
  select
  from ${names.table.executions} e
  join ${names.table.outcomes} o on o.execution_id = e.id
  where e.job_name = $1
    and ${mayBeOld(NOW)}
    and ${isOld(NOW)}
  limit $2
) old`;
