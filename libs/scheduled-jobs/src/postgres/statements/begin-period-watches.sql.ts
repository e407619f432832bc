import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Notes of schedules that are not watched yet that their periods are judged from now on, those included whose time to start
 * is not over.
 *
 * Fenced: by the primary key.
 * Locks: new rows in the order of their names.
 * Index: alert_watches_pk; one row a schedule.
 * Params: $1 now.
 */
export const beginPeriodWatchesSql = ({ table }: LedgerNames): string => `
insert into ${table.alert_watches} (kind, subject, watched_until)
select
  'missed-period', s.schedule_name,
  ${boundNow(1)} - (j.alert ->> 'startWithinMs')::bigint * interval '1 millisecond'
from ${table.schedules} s
join ${table.jobs} j on j.name = s.job_name
where j.alert ->> 'startWithinMs' is not null
  and not exists (
    select 1
    from ${table.alert_watches} w
    where w.kind = 'missed-period' and w.subject = s.schedule_name
  )
order by s.schedule_name
on conflict do nothing`;
