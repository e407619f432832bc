import type { LedgerNames } from '../ledger-names.js';

/**
 * Reads the newest version of each schedule.
 *
 * Fenced: no, it only reads; a registration that found a difference reads again under the schedules' row locks.
 * Locks: none.
 * Index: schedules_pk, schedule_versions_pk.
 * Params: $1 schedule names.
 */
export const findNewestVersionsSql = ({ table }: LedgerNames): string => `
select v.schedule_name, v.version, v.valid_from, v.expression, v.time_zone, v.shape
from ${table.schedules} s
join ${table.schedule_versions} v on v.schedule_name = s.schedule_name and v.version = s.version
where s.schedule_name = any ($1::text[])`;
