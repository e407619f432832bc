import type { ExecutionState } from '../../core/execution/execution-state.js';
import type { BackfillOrder } from '../../core/ports/backfill-store.js';
import type { LedgerNames } from '../ledger-names.js';
import { EXECUTION_STATE } from './execution-list.js';

export interface BackfillRow {
  readonly id: string;
  readonly job_name: string;
  readonly from_at: Date;
  readonly to_at: Date;
  readonly direction: BackfillOrder;
  readonly occurrences: number;
  readonly inserted: number;
  readonly existing: number;
  readonly pruned: number;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly created_at: Date;
  readonly canceled_at: Date | null;
  readonly canceled_by: string | null;
  readonly cancel_reason: string | null;
  readonly states: Readonly<Partial<Record<ExecutionState, number>>>;
}

/** What is shown of a backfill `b`; its executions are counted by state. */
export const backfillColumns = ({ table }: LedgerNames): string => `
  b.id::text as id, b.job_name, b.from_at, b.to_at, b.direction, b.occurrences, b.inserted, b.existing, b.pruned, b.actor,
  b.reason, b.created_at, b.canceled_at, b.canceled_by, b.cancel_reason,
  (
    select coalesce(json_object_agg(counted.state, counted.n), '{}')
    from (
      select ${EXECUTION_STATE} as state, count(*)::int as n
      from ${table.executions} e
      left join ${table.work} w on w.execution_id = e.id
      left join ${table.outcomes} o on o.execution_id = e.id
      where e.backfill_id = b.id
      group by 1
    ) counted
  ) as states`;
