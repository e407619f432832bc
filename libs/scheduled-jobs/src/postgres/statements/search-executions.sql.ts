import type { LedgerNames } from '../ledger-names.js';
import { executionListSql, EXECUTION_STATE, type ExecutionRow } from './execution-list.js';

/** A row that was found, and how far the search has walked; without any, `id` is null. */
export type SearchedRow = { readonly walked: number; readonly walked_to: string | null } & (
  ExecutionRow | { readonly id: null }
);

/** Where a search walks, newest id first: all executions, or only those with rare ends. */
export type SearchGround = 'executions' | 'rare-ends' | 'dead-letters';

/**
 * Lists executions by filters that no index serves: it walks back over a bounded number of executions and keeps those that
 * fit, so that a page costs no more where nothing fits. Who goes on behind `walked_to` misses none.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_pk backwards, executions_scheduled, or executions_browse for one job; outcomes_rare or outcomes_dead for rare
 * ends; then executions_pk, work_pk, outcomes_pk, once per row: with a limit they are never turned into a hash of a whole table.
 * Params: those of every list; $15 states, $16 executions to walk over.
 */
export const searchExecutionsSql = (names: LedgerNames, ground: SearchGround): string => `
with seen as materialized (${GROUNDS[ground](names)}
  limit $16::int
),
found as materialized (${executionListSql(names, {
  from: `seen s
cross join lateral (select * from ${names.table.executions} where id = s.id limit 1) e
left join lateral (select * from ${names.table.work} where execution_id = s.id limit 1) w on true
left join lateral (select * from ${names.table.outcomes} where execution_id = s.id limit 1) o on true`,
  where: `($11::bigint is null or s.id < $11)
  and ($15::text[] is null or ${EXECUTION_STATE} = any ($15))`,
  orderBy: 's.id desc',
})}
)
select walk.walked, walk.walked_to, f.*
from (select count(*)::int as walked, min(id)::text as walked_to from seen) walk
left join found f on true
order by f.id::bigint desc`;

const GROUNDS: Readonly<Record<SearchGround, (names: LedgerNames) => string>> = {
  executions: ({ table }) => `
  select x.id
  from ${table.executions} x
  where ($11::bigint is null or x.id < $11)
    and ($1::text is null or x.job_name = $1)
    and ($6::timestamptz is null or x.scheduled_for >= $6)
    and ($7::timestamptz is null or x.scheduled_for < $7)
  order by x.id desc`,
  'rare-ends': ({ table }) => `
  select x.execution_id as id
  from ${table.outcomes} x
  where ($11::bigint is null or x.execution_id < $11)
    and x.state <> 'succeeded'
    and x.state = any ($15::text[])
  order by x.execution_id desc`,
  'dead-letters': ({ table }) => `
  select x.execution_id as id
  from ${table.outcomes} x
  where ($11::bigint is null or x.execution_id < $11)
    and x.state = 'failed'
    and x.acknowledged_at is null
  order by x.execution_id desc`,
};
