import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface ScheduleRecordRow {
  readonly job_name: string;
  readonly cursor_at: Date;
  readonly suspended: boolean;
  readonly renamed_to: string | null;
  readonly now: Date;
}

/**
 * Reads where a schedule stands.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedules_pk, suspensions_open.
 * Params: $1 schedule name, $2 now.
 */
export const findScheduleRecordSql = ({ table }: LedgerNames): string => `
select
  s.job_name, s.cursor_at, s.renamed_to, ${boundNow(2)} as now,
  exists (select 1 from ${table.suspensions} p where p.job_name = s.job_name and p.to_at is null) as suspended
from ${table.schedules} s
where s.schedule_name = $1`;
