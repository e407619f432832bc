import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface OrphanRow {
  readonly job_name: string;
}

const LONG_AGO = `${boundNow(3)} - $1::bigint * interval '1 millisecond'`;

/**
 * Suspends the schedules of which no version was carried for a while, from when one last was. Who has not looked for that
 * long itself suspends none: after an outage all of them seem to be left.
 *
 * Fenced: by the unique open suspension of a job and kind. A process that comes back at this moment ends it when it carries
 * its schedules the next time.
 * Locks: new rows of suspensions.
 * Index: schedule_versions_pk, suspensions_open.
 * Params: $1 milliseconds, $2 since when the caller has been looking, $3 now.
 */
export const suspendOrphansSql = ({ table }: LedgerNames): string => `
insert into ${table.suspensions} (job_name, kind, from_at)
select s.job_name, 'orphaned', date_trunc('milliseconds', carried.last_at)
from ${table.schedules} s
cross join lateral (
  select max(coalesce(v.carried_at, v.valid_from)) as last_at
  from ${table.schedule_versions} v
  where v.schedule_name = s.schedule_name
) carried
where $2::timestamptz <= ${LONG_AGO}
  and s.renamed_to is null
  and carried.last_at < ${LONG_AGO}
  and not exists (
    select 1
    from ${table.suspensions} x
    where x.job_name = s.job_name and x.kind = 'orphaned' and x.to_at is null
  )
order by s.job_name
on conflict (job_name, kind) where to_at is null do nothing
returning job_name`;
