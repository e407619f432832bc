import type { ExecutionState } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { EXECUTION_STATE } from './execution-list.js';

export interface ChangeRow {
  readonly operations: string;
  readonly alerts: string;
  /** Null = there is no execution. */
  readonly id: string | null;
  readonly state: ExecutionState;
}

/**
 * Reads the states of the newest executions, of the newest running ones and of some more, and how far audit and alerts have
 * come.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_pk, work_pk, work_leased, outcomes_pk, audit_pk, alerts_pk, alerts_open.
 * Params: $1 ids, $2 newest ones, and running ones.
 */
export const lookForChangesSql = ({ table }: LedgerNames): string => `
select heads.operations, heads.alerts, x.id::text as id, x.state
from (
  select
    coalesce((select max(id) from ${table.audit}), 0)::text as operations,
    coalesce((select max(id) from ${table.alerts}), 0) || '/' ||
      (select count(*) from ${table.alerts} where closed_at is null) as alerts
) heads
left join (
  select e.id, ${EXECUTION_STATE} as state
  from (
    (select id from ${table.executions} order by id desc limit $2::int)
    union
    (select execution_id from ${table.work} where phase = 'leased' order by execution_id desc limit $2::int)
    union
    select unnest($1::bigint[])
  ) known
  cross join lateral (select id from ${table.executions} where id = known.id limit 1) e
  left join lateral (select phase, retrying from ${table.work} where execution_id = e.id limit 1) w on true
  left join lateral (select state from ${table.outcomes} where execution_id = e.id limit 1) o on true
) x on true`;
