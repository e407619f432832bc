import type { ExecutionState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { durationMs, EXECUTION_STATE } from './execution-list.js';
import { usedKeys } from './used-keys.js';

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
 * Index: keys_pk, executions_pk, work_pk, outcomes_pk, once per key.
 * Params: $1 keys, $2 now.
 */
export const findRecordedPeriodsSql = (names: LedgerNames): string => `
select used.execution_id::text as execution_id, x.state, x.reason, x.attempts, x.duration_ms
from ${usedKeys(names)}
left join lateral (
  select
    ${EXECUTION_STATE} as state, o.reason, coalesce(o.attempts, w.attempt) as attempts, ${durationMs(boundNow(2))} as duration_ms
  from ${names.table.executions} e
  left join ${names.table.work} w on w.execution_id = e.id
  left join ${names.table.outcomes} o on o.execution_id = e.id
  where e.id = used.execution_id
  limit 1
) x on true
order by used.ord`;
