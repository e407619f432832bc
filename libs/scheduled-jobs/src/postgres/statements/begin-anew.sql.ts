import type { LedgerNames } from '../ledger-names.js';

/**
 * Forgets what schedules were before their names were given to other jobs: that history belongs to the schedules which took
 * over from them.
 *
 * Fenced: by the schedules' row locks, which the registration already holds.
 * Locks: schedules, schedule versions.
 * Index: schedules_pk, schedule_versions_pk.
 * Params: $1 schedule names, $2 the versions with which they begin.
 */
export const beginAnewSql = ({ table }: LedgerNames): string => `
with anew as (
  update ${table.schedules} s
  set earlier_names = '{}'
  from unnest($1::text[], $2::int[]) as g(schedule_name, first_version)
  where s.schedule_name = g.schedule_name
  returning s.schedule_name, g.first_version
)
delete from ${table.schedule_versions} v
using anew
where v.schedule_name = anew.schedule_name and v.version < anew.first_version`;
