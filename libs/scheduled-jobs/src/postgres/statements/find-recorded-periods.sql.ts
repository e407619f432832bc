import type { ExecutionState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { durationMs, EXECUTION_STATE } from './execution-list.js';
import { keyHash } from './key-hash.js';

export interface RecordedPeriodRow {
  /** Null = the key was never used. */
  readonly execution_id: string | null;
  /** Null = retention has removed the execution. */
  readonly state: ExecutionState | null;
  readonly reason: string | null;
  readonly attempts: number | null;
  readonly duration_ms: number | null;
}

/**
 * Tells of each key, in the order given, how its execution stands.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: keys_pk, executions_pk, work_pk, outcomes_pk, once per key: a scalar subquery is never turned into a join or a hash of
 * a whole table.
 * Params: $1 keys, $2 now.
 */
export const findRecordedPeriodsSql = ({ table }: LedgerNames): string => `
select used.execution_id::text as execution_id, x.state, x.reason, x.attempts, x.duration_ms
from (
  select
    g.ord,
    (select k.execution_id from ${table.keys} k where k.key_hash = ${keyHash('g.key')}) as execution_id
  from unnest($1::text[]) with ordinality as g(key, ord)
  offset 0
) used
left join lateral (
  select
    ${EXECUTION_STATE} as state, o.reason, coalesce(o.attempts, w.attempt) as attempts, ${durationMs(boundNow(2))} as duration_ms
  from ${table.executions} e
  left join ${table.work} w on w.execution_id = e.id
  left join ${table.outcomes} o on o.execution_id = e.id
  where e.id = used.execution_id
  limit 1
) x on true
order by used.ord`;
