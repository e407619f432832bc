import type { LedgerNames } from '../ledger-names.js';

/**
 * Notes the greatest release that has put a definition of these schedules in force.
 *
 * Fenced: by the schedules' row locks, which the registration already holds.
 * Locks: schedules.
 * Index: schedules_pk.
 * Params: $1 schedule names, $2 release.
 */
export const raiseReleasesSql = ({ table }: LedgerNames): string => `
update ${table.schedules}
set release = $2::bigint
where schedule_name = any ($1::text[]) and (release is null or release < $2::bigint)`;
