import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface PrunableRow {
  readonly count: number;
}

const NOW = boundNow(3);
const MS = `interval '1 millisecond'`;

/**
 * Counts the executions of a job that prune-executions would remove, up to a limit.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: as prune-executions.
 * Params: $1 job, $2 at most, $3 now.
 */
export const countPrunableSql = ({ table }: LedgerNames): string => `
with kept as materialized (
  select retention, (select min(ms::bigint) from jsonb_each_text(retention) as by_state(state, ms)) as min_ms
  from ${table.jobs}
  where name = $1
)
select count(*)::int as count
from (
  select
  from ${table.executions} e
  join ${table.outcomes} o on o.execution_id = e.id
  where e.job_name = $1
    and e.scheduled_for < (select ${NOW} - min_ms * ${MS} from kept)
    and o.finished_at < ${NOW} - ((select retention from kept) ->> o.state)::bigint * ${MS}
  limit $2
) old`;
