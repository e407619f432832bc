import type { RecordName } from '../../core/ports/period-records.js';
import type { LedgerNames } from '../ledger-names.js';

export type EarlierNameRow = RecordName;

/**
 * Lists the names that a schedule had before. One that is in force itself was given to another job, when that job's first
 * version began.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedules_pk, schedule_versions_pk.
 * Params: $1 schedule name.
 */
export const findEarlierNamesSql = ({ table }: LedgerNames): string => `
select
  earlier.name,
  (
    select min(v.valid_from)
    from ${table.schedules} given
    join ${table.schedule_versions} v on v.schedule_name = given.schedule_name
    where given.schedule_name = earlier.name and given.renamed_to is null
  ) as until
from ${table.schedules} s
cross join lateral unnest(s.earlier_names) as earlier(name)
where s.schedule_name = $1
order by earlier.name`;
