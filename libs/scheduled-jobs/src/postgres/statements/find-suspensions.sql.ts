import type { SuspensionKind } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';

export interface SuspensionRow {
  readonly job_name: string;
  readonly kind: SuspensionKind;
  readonly from_at: Date;
  readonly to_at: Date | null;
  readonly catch_up: boolean;
  readonly actor: string | null;
  readonly reason: string | null;
}

/**
 * Reads the suspensions that matter after the cursors of schedules: those that go on or ended later, in order.
 *
 * Fenced: no; the tick holds the schedules' rows.
 * Locks: none.
 * Index: schedules_pk, suspensions_browse.
 * Params: $1 schedule names.
 */
export const findSuspensionsSql = ({ table }: LedgerNames): string => `
select x.job_name, x.kind, x.from_at, x.to_at, x.catch_up, x.actor, x.reason
from ${table.schedules} s
join ${table.suspensions} x on x.job_name = s.job_name
where s.schedule_name = any ($1::text[]) and (x.to_at is null or x.to_at > s.cursor_at)
order by x.job_name, x.from_at, x.id`;
