import type { LedgerNames } from '../ledger-names.js';

/**
 * Notes which schedules have a new name: no tick looks at the old ones any more, and the new ones know under which names
 * their periods were executed.
 *
 * Fenced: by the schedules' row locks, which the registration already holds.
 * Locks: schedules.
 * Index: schedules_pk.
 * Params: $1 old schedule names, $2 their new names.
 */
export const handOverSchedulesSql = ({ table }: LedgerNames): string => `
with renamed as (
  update ${table.schedules} s
  set renamed_to = g.new_name
  from unnest($1::text[], $2::text[]) as g(old_name, new_name)
  where s.schedule_name = g.old_name
  returning s.schedule_name, s.earlier_names, g.new_name
)
update ${table.schedules} s
set earlier_names = array(
  select name
  from (
    select unnest(s.earlier_names) as name
    union
    select unnest(r.earlier_names || r.schedule_name::text) from renamed r where r.new_name = s.schedule_name
  ) names
  where name <> s.schedule_name
  order by name
)
where s.schedule_name = any ($2::text[])`;
