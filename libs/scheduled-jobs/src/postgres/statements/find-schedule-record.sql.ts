import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface ScheduleRecordRow {
  readonly job_name: string;
  readonly cursor_at: Date;
  readonly suspended: boolean;
  readonly renamed_to: string | null;
  readonly earlier_names: readonly string[];
  readonly now: Date;
}

/**
 * Reads where a schedule stands, and which schedules it took over from.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedules_pk, suspensions_open; earlier names by a walk over the few schedules that were renamed.
 * Params: $1 schedule name, $2 now.
 */
export const findScheduleRecordSql = ({ table }: LedgerNames): string => `
with recursive earlier as (
  select schedule_name from ${table.schedules} where renamed_to = $1
  union
  select s.schedule_name from earlier join ${table.schedules} s on s.renamed_to = earlier.schedule_name
)
select
  s.job_name, s.cursor_at, s.renamed_to, ${boundNow(2)} as now,
  exists (select 1 from ${table.suspensions} p where p.job_name = s.job_name and p.to_at is null) as suspended,
  (select coalesce(json_agg(schedule_name order by schedule_name), '[]') from earlier) as earlier_names
from ${table.schedules} s
where s.schedule_name = $1`;
