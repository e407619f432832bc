import type { LedgerNames } from '../ledger-names.js';

/**
 * Notes which schedules have a new name: no tick looks at the old ones any more.
 *
 * Fenced: by the schedules' row locks, which the registration already holds.
 * Locks: schedules.
 * Index: schedules_pk.
 * Params: $1 old schedule names, $2 their new names.
 */
export const handOverSchedulesSql = ({ table }: LedgerNames): string => `
update ${table.schedules} s
set renamed_to = g.new_name
from unnest($1::text[], $2::text[]) as g(old_name, new_name)
where s.schedule_name = g.old_name`;
