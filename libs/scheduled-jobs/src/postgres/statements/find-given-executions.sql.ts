import type { ExecutionState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { EXECUTION_STATE } from './execution-list.js';
import { keyHash } from './key-hash.js';

export interface GivenExecutionRow {
  /** Position in the input, from 1. */
  readonly ord: number;
  readonly id: string;
  readonly key: string;
  readonly job_name: string;
  readonly state: ExecutionState;
  readonly acknowledged_at: Date | null;
}

/**
 * Reads how executions stand, given by their ids or keys; one that does not exist gives no row.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: keys_pk, executions_pk, work_pk, outcomes_pk, once per execution: a scalar subquery is never turned into a join.
 * Params: $1 ids (null = by key), $2 keys.
 */
export const findGivenExecutionsSql = ({ table }: LedgerNames): string => `
select
  g.ord::int as ord, e.id::text as id, e.key, e.job_name, ${EXECUTION_STATE} as state, o.acknowledged_at
from (
  select
    u.ord,
    coalesce(u.id, (select k.execution_id from ${table.keys} k where k.key_hash = ${keyHash('u.key')})) as execution_id
  from unnest($1::bigint[], $2::text[]) with ordinality as u(id, key, ord)
  offset 0
) g
join ${table.executions} e on e.id = g.execution_id
left join ${table.work} w on w.execution_id = e.id
left join ${table.outcomes} o on o.execution_id = e.id
where w.execution_id is not null or o.execution_id is not null
order by g.ord`;
